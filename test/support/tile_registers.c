/* The tile registers of x86-64 (AMX), moves of 16-bit floats, and dots with a VEX prefix, on
 * processors without them.
 *
 * Loaded into a process, it catches the signal of an instruction that the processor does not know,
 * does what the instruction would have done, and goes on behind it. Any other unknown instruction
 * ends the process. Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volumes 1
 * (chapter 18) and 2. */

#define _GNU_SOURCE
#include <cpuid.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { TILES = 8, ROWS = 16, ROW_BYTES = 64 };
enum { PP_NONE, PP_66, PP_F3, PP_F2 };

static __thread uint8_t config[64];
static __thread uint8_t tiles[TILES][ROWS][ROW_BYTES];

/* Instructions done so far. */
unsigned long tile_registers_count;

static int rows_of(int tile) { return config[48 + tile]; }

static int bytes_of(int tile)
{
    return config[16 + 2 * tile] | config[17 + 2 * tile] << 8;
}

static greg_t *general(ucontext_t *context, int number)
{
    static const int places[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                   REG_R12, REG_R13, REG_R14, REG_R15};
    return &context->uc_mcontext.gregs[places[number]];
}

/* An operand in memory, behind the opcode. `index` is scaled; `end` is the next instruction. */
typedef struct {
    uint8_t *base;
    intptr_t index;
    const uint8_t *end;
} operand;

static operand read_operand(ucontext_t *context, const uint8_t *modrm, int x, int b, int factor)
{
    const int mode = *modrm >> 6, low = *modrm & 7;
    operand found = {NULL, 0, modrm + 1};
    intptr_t base = 0, offset = 0;
    int base_number = low | b << 3, no_base = mode == 0 && low == 5;
    if (low == 4) {
        const int sib = *found.end++, index = (sib >> 3 & 7) | x << 3;
        base_number = (sib & 7) | b << 3;
        no_base = mode == 0 && (sib & 7) == 5;
        if (index != 4) {
            found.index = (intptr_t)*general(context, index) << (sib >> 6);
        }
    }
    if (mode == 1) {
        offset = (int8_t)*found.end++ * factor;
    } else if (mode == 2 || no_base) {
        int32_t wide;
        memcpy(&wide, found.end, sizeof wide);
        found.end += sizeof wide;
        offset = wide;
    }
    if (!no_base) {
        base = *general(context, base_number);
    } else if (low == 5) {
        base = (intptr_t)found.end;
    }
    found.base = (uint8_t *)(base + offset);
    return found;
}

static float of_bfloat16(const uint8_t *bytes)
{
    const uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Add the products of rows of `a` and columns of `b`, dots of four bytes or of two bfloat16. */
static void multiply(int sums, int a, int b, int floats, int a_signed, int b_signed)
{
    const int steps = bytes_of(a) / 4, columns = bytes_of(sums) / 4;
    int m, k, n, i;
    for (m = 0; m < rows_of(sums); ++m) {
        for (n = 0; n < columns; ++n) {
            uint8_t *place = &tiles[sums][m][4 * n];
            float even = 0, odd = 0, total;
            uint32_t sum;
            memcpy(&sum, place, sizeof sum);
            memcpy(&total, place, sizeof total);
            for (k = 0; k < steps; ++k) {
                const uint8_t *x = &tiles[a][m][4 * k], *y = &tiles[b][k][4 * n];
                for (i = 0; i < 4; ++i) {
                    const int left = a_signed ? (int8_t)x[i] : x[i];
                    const int right = b_signed ? (int8_t)y[i] : y[i];
                    sum += (uint32_t)(left * right);
                }
                even = fmaf(of_bfloat16(x), of_bfloat16(y), even);
                odd = fmaf(of_bfloat16(x + 2), of_bfloat16(y + 2), odd);
            }
            total += even + odd;
            memcpy(place, floats ? (void *)&total : (void *)&sum, sizeof sum);
        }
        memset(&tiles[sums][m][4 * columns], 0, (size_t)(ROW_BYTES - 4 * columns));
    }
    memset(tiles[sums][m], 0, (size_t)(ROWS - m) * ROW_BYTES);
}

/* Do an instruction with a VEX prefix; return the next one, NULL if it is not of tiles. */
static const uint8_t *with_tiles(ucontext_t *context, const uint8_t *code)
{
    const int x = ~code[1] >> 6 & 1, b = ~code[1] >> 5 & 1, map = code[1] & 31;
    const int pp = code[2] & 3, other = ~code[2] >> 3 & 15, opcode = code[3];
    const uint8_t *modrm = code + 4;
    const int tile = *modrm >> 3 & 7, is_memory = *modrm >> 6 != 3;
    operand place;
    int row;
    if (map != 2 || (opcode != 0x49 && opcode != 0x4b && opcode != 0x5c && opcode != 0x5e)) {
        return NULL;
    }
    if (!is_memory) {
        if (opcode == 0x49 && pp == PP_NONE) {
            memset(config, 0, sizeof config);
        } else if (opcode == 0x49 && pp == PP_F2) {
            memset(tiles[tile], 0, sizeof tiles[tile]);
        } else if (opcode == 0x5c && pp == PP_F3) {
            multiply(tile, *modrm & 7, other, 1, 0, 0);
        } else if (opcode == 0x5e) {
            multiply(tile, *modrm & 7, other, 0, pp == PP_F2 || pp == PP_F3,
                     pp == PP_F2 || pp == PP_66);
        } else {
            return NULL;
        }
        return modrm + 1;
    }
    place = read_operand(context, modrm, x, b, 1);
    if (opcode == 0x49 && pp == PP_NONE) {
        memcpy(config, place.base, sizeof config);
        memset(tiles, 0, sizeof tiles);
        return place.end;
    }
    if (opcode != 0x4b || pp == PP_NONE) {
        return NULL;
    }
    if (pp != PP_F3) {
        memset(tiles[tile], 0, sizeof tiles[tile]);
    }
    for (row = 0; row < rows_of(tile); ++row) {
        uint8_t *memory = place.base + row * place.index;
        uint8_t *own = tiles[tile][row];
        memcpy(pp == PP_F3 ? memory : own, pp == PP_F3 ? own : memory, (size_t)bytes_of(tile));
    }
    return place.end;
}

/* Return the memory of a part of the saved state of vectors, and say that it is in use. */
static uint8_t *state(ucontext_t *context, int part)
{
    uint8_t *saved = (uint8_t *)context->uc_mcontext.fpregs;
    unsigned size, place, flags, rest;
    uint64_t used;
    memcpy(&used, saved + 512, sizeof used);
    used |= 1u << part;
    memcpy(saved + 512, &used, sizeof used);
    if (part == 1) {
        return saved + 160;
    }
    __cpuid_count(13, part, size, place, flags, rest);
    (void)size, (void)flags, (void)rest;
    return saved + place;
}

static uint8_t *vector(ucontext_t *context, int number)
{
    return number < 16 ? state(context, 1) + 16 * number : state(context, 7) + 64 * (number - 16);
}

/* Do a dot with a VEX prefix (AVX-VNNI); return the next instruction or NULL. */
static const uint8_t *with_dots(ucontext_t *context, const uint8_t *code)
{
    const int r = ~code[1] >> 7 & 1, x = ~code[1] >> 6 & 1, b = ~code[1] >> 5 & 1;
    const int opcode = code[3], parts = 1 + (code[2] >> 2 & 1), other = ~code[2] >> 3 & 15;
    const uint8_t *modrm = code + 4, *end = modrm + 1, *memory = NULL;
    const int number = (*modrm >> 3 & 7) | r << 3, second = (*modrm & 7) | b << 3;
    int part, n, i;
    if ((code[1] & 31) != 2 || (code[2] & 3) != PP_66 || opcode < 0x50 || opcode > 0x53) {
        return NULL;
    }
    if (*modrm >> 6 != 3) {
        const operand place = read_operand(context, modrm, x, b, 1);
        memory = place.base + place.index;
        end = place.end;
    }
    for (part = 0; part < parts; ++part) {
        uint8_t *half = state(context, 1 + part), lhs[16], rhs[16];
        memcpy(lhs, half + 16 * other, sizeof lhs);
        memcpy(rhs, memory != NULL ? memory + 16 * part : half + 16 * second, sizeof rhs);
        for (n = 0; n < 16; n += 4) {
            int32_t sum;
            int64_t total;
            memcpy(&sum, half + 16 * number + n, sizeof sum);
            total = sum;
            for (i = n; i < n + 4; ++i) {
                if (opcode < 0x52) {
                    total += lhs[i] * (int8_t)rhs[i];
                } else if (i % 2 == 0) {
                    int16_t left, right;
                    memcpy(&left, lhs + i, sizeof left);
                    memcpy(&right, rhs + i, sizeof right);
                    total += (int64_t)left * right;
                }
            }
            if (opcode % 2) {
                total = total > INT32_MAX ? INT32_MAX : total < INT32_MIN ? INT32_MIN : total;
            }
            sum = (int32_t)total;
            memcpy(half + 16 * number + n, &sum, sizeof sum);
        }
    }
    if (parts == 1) {
        memset(state(context, 2) + 16 * number, 0, 16);
    }
    memset(state(context, 6) + 32 * number, 0, 32);
    return end;
}

/* Do a move of 16 bits with an EVEX prefix (VMOVW, VMOVSH); return the next instruction or NULL. */
static const uint8_t *with_halves(ucontext_t *context, const uint8_t *code)
{
    const int r = ~code[1] >> 7 & 1, x = ~code[1] >> 6 & 1, b = ~code[1] >> 5 & 1;
    const int number = (code[5] >> 3 & 7) | r << 3 | (~code[1] >> 4 & 1) << 4;
    const int pp = code[2] & 3, opcode = code[4], is_masked = code[3] & 7;
    const int is_load = opcode == 0x6e || opcode == 0x10;
    const int is_word = (opcode == 0x6e || opcode == 0x7e) && pp == PP_66;
    const uint8_t *modrm = code + 5, *end = modrm + 1;
    uint8_t value[16] = {0};
    int other;
    uint8_t *place, *own = vector(context, number);
    if ((code[1] & 7) != 5 || is_masked ||
        !(is_word || ((opcode == 0x10 || opcode == 0x11) && pp == PP_F3))) {
        return NULL;
    }
    if (*modrm >> 6 != 3) {
        const operand memory = read_operand(context, modrm, x, b, 2);
        place = memory.base + memory.index;
        end = memory.end;
    } else if (is_word) {
        place = (uint8_t *)general(context, (*modrm & 7) | b << 3);
        if (!is_load) {
            memset(place, 0, sizeof(greg_t));
        }
    } else if (is_load) {
        place = vector(context, (*modrm & 7) | b << 3 | x << 4);
        other = (~code[2] >> 3 & 15) | (~code[3] >> 3 & 1) << 4;
        memcpy(value, vector(context, other), sizeof value);
    } else {
        return NULL;
    }
    if (!is_load) {
        memcpy(place, own, 2);
        return end;
    }
    memcpy(value, place, 2);
    memcpy(own, value, sizeof value);
    if (number < 16) {
        memset(state(context, 2) + 16 * number, 0, 16);
        memset(state(context, 6) + 32 * number, 0, 32);
    } else {
        memset(own + 16, 0, 48);
    }
    return end;
}

static void unknown(int signal, siginfo_t *information, void *given)
{
    static const char message[] = "an instruction is not of tiles, dots or 16-bit floats\n";
    ucontext_t *context = given;
    const uint8_t *code = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP], *end = NULL;
    (void)signal, (void)information;
    if (code[0] == 0xc4) {
        end = with_tiles(context, code);
        end = end != NULL ? end : with_dots(context, code);
    } else if (code[0] == 0x62) {
        end = with_halves(context, code);
    }
    if (end == NULL) {
        (void)!write(2, message, sizeof message - 1);
        _exit(1);
    }
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)end;
    ++tile_registers_count;
}

void tile_registers_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = unknown;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGILL, &action, NULL);
}
