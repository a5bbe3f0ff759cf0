/* What runs before main on a Cortex-M: the vector table, the unit for floats, memory with values. */
#include <stdint.h>
#include <string.h>

int main(void);
void leave(int status);
void reset(void);

/* Defined by the linker script. */
extern char data_start[], data_end[], data_load[], bss_start[], bss_end[], stack_top[];

static void fault(void)
{
    leave(1);
}

__attribute__((section(".vectors"), used)) static const struct {
    void *stack;
    void (*handlers[15])(void);
} vectors = {stack_top, {reset, fault, fault, fault, fault, fault}};

void reset(void)
{
#if defined(__ARM_FP)
    *(volatile uint32_t *)0xE000ED88 |= 0xFU << 20; /* CPACR: access to the unit for floats */
    __asm__ volatile("dsb\n\tisb");
#endif
    memcpy(data_start, data_load, (size_t)(data_end - data_start));
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
    leave(main());
}
