/* What kernels as C++ source are written with: buffers, scratch memory, functions, vectors.
 *
 * Halide writes the bodies of kernels; it would define these things itself, but its definitions
 * compute other numbers than kernels as object files do. What stands here computes the same:
 *
 * - A boolean in a vector is a uint8_t that is 0 or 1, and so it is in memory.
 * - Integers wrap when they overflow, and x / 0 and x % 0 are 0.
 * - max and min yield their second operand where either is nan.
 * - Products and sums are rounded one by one, but in sums of products (multiply_add).
 *
 * Vectors have any number of lanes. They are vectors of the compiler: GCC has all that is needed
 * here from version 9 on, Clang from 14 on.
 */
#pragma once

#if __cplusplus < 201703L
#error "kernels need C++17: compile them with -std=c++17"
#endif
#if !defined(__GNUC__)
#error "kernels need the vectors of GCC or Clang"
#endif
#if defined(__FAST_MATH__)
#error "kernels need floating point as IEEE 754 defines it: compile them without -ffast-math"
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#if !defined(__clang__) && defined(__FMA__)
#include <immintrin.h>
#elif !defined(__clang__) && defined(__aarch64__)
#include <arm_neon.h>
#endif

/* GCC 12 makes -1 of a true comparison where it builds vectors of two bytes out of scalars. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
/* Halide computes nothing that a select leaves out, and reads its place all the same. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
/* Nor do intrinsics of AVX-512, by the header of GCC 12 (bug 105593 of GCC). */
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

/* A kernel without elements reads none of its buffers. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define HALIDE_KERNEL_INLINE inline __attribute__((always_inline))

#define HALIDE_FUNCTION_ATTRS

/* The runtime that the program brings: see halide_runtime.h. */
extern "C" {
void *halide_malloc(void *user_context, size_t bytes);
void halide_free(void *user_context, void *pointer);
int halide_do_par_for(void *user_context, int (*task)(void *, int, uint8_t *), int first,
                      int count, uint8_t *closure);
void halide_error(void *user_context, const char *message);
}

/* A tensor in memory, laid out as in halide_buffer.h. */
struct halide_dimension_t {
    int32_t min, extent, stride;
    uint32_t flags;
};

struct halide_buffer_t {
    uint64_t device;
    const void *device_interface;
    uint8_t *host;
    uint64_t flags;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } type;
    int32_t dimensions;
    halide_dimension_t *dim;
    void *padding;
};

namespace {

HALIDE_KERNEL_INLINE void *_halide_buffer_get_host(const halide_buffer_t *buffer) {
    return buffer->host;
}

HALIDE_KERNEL_INLINE int _halide_buffer_get_min(const halide_buffer_t *buffer, int dimension) {
    return buffer->dim[dimension].min;
}

HALIDE_KERNEL_INLINE int _halide_buffer_get_extent(const halide_buffer_t *buffer, int dimension) {
    return buffer->dim[dimension].extent;
}

HALIDE_KERNEL_INLINE int _halide_buffer_get_stride(const halide_buffer_t *buffer, int dimension) {
    return buffer->dim[dimension].stride;
}

template<typename T>
HALIDE_KERNEL_INLINE void halide_maybe_unused(const T &) {
}

template<typename A, typename B>
HALIDE_KERNEL_INLINE const B &return_second(const A &, const B &b) {
    return b;
}

/* Gives back scratch memory at the end of its scope, or before. */
template<void (*Free)(void *, void *)>
class HalideFreeHelper {
    void *user_context;
    void *pointer;

public:
    HalideFreeHelper(void *user_context, void *pointer)
        : user_context(user_context), pointer(pointer) {
    }
    HalideFreeHelper(const HalideFreeHelper &) = delete;
    HalideFreeHelper &operator=(const HalideFreeHelper &) = delete;
    ~HalideFreeHelper() {
        free();
    }
    void free() {
        if (pointer != nullptr) {
            Free(user_context, pointer);
            pointer = nullptr;
        }
    }
};

/* Scalars. */

template<typename To, typename From>
HALIDE_KERNEL_INLINE To reinterpret(const From &value) {
    static_assert(sizeof(To) == sizeof(From), "both types have the same size");
    static_assert(std::is_trivially_copyable<To>::value, "bits are copied");
    To result;
    memcpy(&result, &value, sizeof(To));
    return result;
}

HALIDE_KERNEL_INLINE float float_from_bits(uint32_t bits) {
    return reinterpret<float>(bits);
}

HALIDE_KERNEL_INLINE float nan_f32() {
    return float_from_bits(0x7fc00000);
}

HALIDE_KERNEL_INLINE float inf_f32() {
    return float_from_bits(0x7f800000);
}

HALIDE_KERNEL_INLINE float neg_inf_f32() {
    return float_from_bits(0xff800000);
}

template<typename T>
HALIDE_KERNEL_INLINE T halide_cpp_max(const T &a, const T &b) {
    return a > b ? a : b;
}

template<typename T>
HALIDE_KERNEL_INLINE T halide_cpp_min(const T &a, const T &b) {
    return a < b ? a : b;
}

#define HALIDE_KERNEL_FUNCTION(name)                          \
    HALIDE_KERNEL_INLINE float name##_f32(float x) {          \
        return std::name(x);                                  \
    }                                                         \
    HALIDE_KERNEL_INLINE double name##_f64(double x) {        \
        return std::name(x);                                  \
    }

HALIDE_KERNEL_FUNCTION(ceil)
HALIDE_KERNEL_FUNCTION(cos)
HALIDE_KERNEL_FUNCTION(exp)
HALIDE_KERNEL_FUNCTION(floor)
HALIDE_KERNEL_FUNCTION(log)
HALIDE_KERNEL_FUNCTION(sin)
HALIDE_KERNEL_FUNCTION(sqrt)
HALIDE_KERNEL_FUNCTION(tanh)
HALIDE_KERNEL_FUNCTION(trunc)

#undef HALIDE_KERNEL_FUNCTION

HALIDE_KERNEL_INLINE float pow_f32(float x, float y) {
    return std::pow(x, y);
}

HALIDE_KERNEL_INLINE double pow_f64(double x, double y) {
    return std::pow(x, y);
}

HALIDE_KERNEL_INLINE bool is_nan_f32(float x) {
    return x != x;
}

HALIDE_KERNEL_INLINE bool is_nan_f64(double x) {
    return x != x;
}

/* Vectors. */

constexpr size_t halide_kernel_power_of_two(size_t n) {
    size_t power = 1;
    while (power < n) {
        power *= 2;
    }
    return power;
}

template<size_t N>
constexpr bool halide_kernel_consecutive(const int (&indices)[N]) {
    for (size_t i = 1; i < N; i++) {
        if (indices[i] != indices[0] + (int)i) {
            return false;
        }
    }
    return true;
}

/* A vector of N lanes. The compiler's has as many as the next power of two; nobody sees the others,
 * whatever is in them. */
template<typename T, size_t N>
struct Vector {
    typedef T Data __attribute__((vector_size(halide_kernel_power_of_two(N) * sizeof(T))));
    /* The same somewhere in memory, where elements are of another type for the compiler. */
    typedef T Place __attribute__((vector_size(halide_kernel_power_of_two(N) * sizeof(T)),
                                   aligned(alignof(T)), may_alias));

    Data data;

    HALIDE_KERNEL_INLINE T operator[](size_t i) const {
        return data[i];
    }
};

/* The unsigned type with as many bits: its arithmetic wraps. */
template<typename T, bool = std::is_integral<T>::value>
struct Wrapping {
    using type = T;
};

template<typename T>
struct Wrapping<T, true> {
    using type = typename std::make_unsigned<T>::type;
};

/* The lanes of a comparison: 0 or -1. */
template<size_t Bytes>
struct Truth;

template<>
struct Truth<1> {
    using type = int8_t;
};

template<>
struct Truth<2> {
    using type = int16_t;
};

template<>
struct Truth<4> {
    using type = int32_t;
};

template<>
struct Truth<8> {
    using type = int64_t;
};

/* What a comparison yields: 0 or -1 in each lane, which has as many bytes as what was compared, as
 * machines have it. Where it is stored or a number, it is a vector of bytes of 0 and 1; compilers
 * convert that lane by lane. */
template<size_t Bytes, size_t N>
struct Truths {
    using Lanes = Vector<typename Truth<Bytes>::type, N>;

    typename Lanes::Data data;

    HALIDE_KERNEL_INLINE uint8_t operator[](size_t i) const {
        return data[i] & 1;
    }

    HALIDE_KERNEL_INLINE operator Vector<uint8_t, N>() const {
        using Data = typename Vector<uint8_t, N>::Data;
        return {(Data)__builtin_convertvector(data, Data) & (uint8_t)1};
    }

    /* The same in lanes of another size. */
    template<size_t Other>
    HALIDE_KERNEL_INLINE Truths<Other, N> in_lanes_of() const {
        if constexpr (Other == Bytes) {
            return *this;
        } else {
            return {__builtin_convertvector(data, typename Truths<Other, N>::Lanes::Data)};
        }
    }
};

#define HALIDE_KERNEL_LOGIC(op)                                                        \
    template<size_t A, size_t B, size_t N>                                             \
    HALIDE_KERNEL_INLINE Truths<A, N> operator op(const Truths<A, N> &a,               \
                                                  const Truths<B, N> &b) {             \
        return {a.data op b.template in_lanes_of<A>().data};                           \
    }                                                                                  \
    template<size_t A, size_t N>                                                       \
    HALIDE_KERNEL_INLINE Vector<uint8_t, N> operator op(const Truths<A, N> &a,         \
                                                        const Vector<uint8_t, N> &b) { \
        return {((Vector<uint8_t, N>)a).data op b.data};                               \
    }                                                                                  \
    template<size_t B, size_t N>                                                       \
    HALIDE_KERNEL_INLINE Vector<uint8_t, N> operator op(const Vector<uint8_t, N> &a,   \
                                                        const Truths<B, N> &b) {       \
        return {a.data op ((Vector<uint8_t, N>)b).data};                               \
    }

HALIDE_KERNEL_LOGIC(&)
HALIDE_KERNEL_LOGIC(|)
HALIDE_KERNEL_LOGIC(^)

#undef HALIDE_KERNEL_LOGIC

template<size_t Bytes, size_t N>
HALIDE_KERNEL_INLINE Truths<Bytes, N> operator!(const Truths<Bytes, N> &a) {
    return {~a.data};
}

/* The operators: the same of each lane. */

#define HALIDE_KERNEL_OPERATOR(op)                                                                \
    template<typename T, size_t N>                                                                \
    HALIDE_KERNEL_INLINE Vector<T, N> operator op(const Vector<T, N> &a, const Vector<T, N> &b) { \
        using Data = typename Vector<typename Wrapping<T>::type, N>::Data;                        \
        return {(typename Vector<T, N>::Data)((Data)a.data op (Data)b.data)};                     \
    }

HALIDE_KERNEL_OPERATOR(+)
HALIDE_KERNEL_OPERATOR(-)
HALIDE_KERNEL_OPERATOR(*)
HALIDE_KERNEL_OPERATOR(&)
HALIDE_KERNEL_OPERATOR(|)
HALIDE_KERNEL_OPERATOR(^)

#undef HALIDE_KERNEL_OPERATOR

template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> operator/(const Vector<T, N> &a, const Vector<T, N> &b) {
    if constexpr (std::is_floating_point<T>::value) {
        return {a.data / b.data};
    } else {
        Vector<T, N> r = {};
        for (size_t i = 0; i < N; i++) {
            r.data[i] = b.data[i] == 0 ? 0 : (T)(a.data[i] / b.data[i]);
        }
        return r;
    }
}

template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> operator%(const Vector<T, N> &a, const Vector<T, N> &b) {
    Vector<T, N> r = {};
    for (size_t i = 0; i < N; i++) {
        r.data[i] = b.data[i] == 0 ? 0 : (T)(a.data[i] % b.data[i]);
    }
    return r;
}

template<typename T, typename Count, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> operator<<(const Vector<T, N> &a, const Vector<Count, N> &b) {
    using Data = typename Vector<typename Wrapping<T>::type, N>::Data;
    return {(typename Vector<T, N>::Data)((Data)a.data << (Data)b.data)};
}

template<typename T, typename Count, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> operator>>(const Vector<T, N> &a, const Vector<Count, N> &b) {
    return {a.data >> (typename Vector<T, N>::Data)b.data};
}

template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> operator~(const Vector<T, N> &a) {
    return {~a.data};
}

/* Not of a boolean. */
template<size_t N>
HALIDE_KERNEL_INLINE Vector<uint8_t, N> operator!(const Vector<uint8_t, N> &a) {
    using Data = typename Vector<uint8_t, N>::Data;
    return {(Data)(a.data == 0) & (uint8_t)1};
}

/* The larger and the smaller of two lanes, the second one where either is not a number. Where the
 * machine has an instruction that does just that, GCC is given it: through a chain of comparisons and
 * choices it takes a time that grows with the square of their number. */
#if !defined(__clang__) && defined(__FMA__)
#define HALIDE_KERNEL_EXTREMES(type, prefix, suffix)                            \
    HALIDE_KERNEL_INLINE type halide_kernel_max(const type &a, const type &b) { \
        return prefix##max_##suffix(a, b);                                      \
    }                                                                           \
    HALIDE_KERNEL_INLINE type halide_kernel_min(const type &a, const type &b) { \
        return prefix##min_##suffix(a, b);                                      \
    }
HALIDE_KERNEL_EXTREMES(__m128, _mm_, ps)
HALIDE_KERNEL_EXTREMES(__m128d, _mm_, pd)
HALIDE_KERNEL_EXTREMES(__m256, _mm256_, ps)
HALIDE_KERNEL_EXTREMES(__m256d, _mm256_, pd)
#if defined(__AVX512F__)
HALIDE_KERNEL_EXTREMES(__m512, _mm512_, ps)
HALIDE_KERNEL_EXTREMES(__m512d, _mm512_, pd)
#define HALIDE_KERNEL_EXTREMES_BYTES 64
#else
#define HALIDE_KERNEL_EXTREMES_BYTES 32
#endif
#undef HALIDE_KERNEL_EXTREMES
#endif

template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> halide_kernel_max(const Vector<T, N> &a, const Vector<T, N> &b) {
#if defined(HALIDE_KERNEL_EXTREMES_BYTES)
    constexpr size_t bytes = sizeof(typename Vector<T, N>::Data);
    if constexpr (std::is_floating_point<T>::value && bytes >= 16 &&
                  bytes <= HALIDE_KERNEL_EXTREMES_BYTES) {
        return {halide_kernel_max(a.data, b.data)};
    }
#endif
    return {a.data > b.data ? a.data : b.data};
}

template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> halide_kernel_min(const Vector<T, N> &a, const Vector<T, N> &b) {
#if defined(HALIDE_KERNEL_EXTREMES_BYTES)
    constexpr size_t bytes = sizeof(typename Vector<T, N>::Data);
    if constexpr (std::is_floating_point<T>::value && bytes >= 16 &&
                  bytes <= HALIDE_KERNEL_EXTREMES_BYTES) {
        return {halide_kernel_min(a.data, b.data)};
    }
#endif
    return {a.data < b.data ? a.data : b.data};
}

/* The functions that Halide calls by the name of the vector's type. */
template<typename T, size_t N>
struct VectorOps {
    using Vec = Vector<T, N>;
    using Mask = Vector<uint8_t, N>;
    using Offsets = Vector<int32_t, N>;

    static HALIDE_KERNEL_INLINE Vec broadcast(T value) {
        return {value - typename Vec::Data{}};
    }

    static HALIDE_KERNEL_INLINE Vec ramp(T base, T stride) {
        using U = typename Wrapping<T>::type;
        Vec r = {};
        for (size_t i = 0; i < N; i++) {
            r.data[i] = (T)((U)base + (U)((U)stride * (U)i));
        }
        return r;
    }

    static HALIDE_KERNEL_INLINE Vec load(const void *base, int32_t offset) {
        /* GCC takes what is copied apart, lane by lane. */
        if constexpr (N == halide_kernel_power_of_two(N)) {
            return {*(const typename Vec::Place *)((const T *)base + offset)};
        } else {
            Vec r = {};
            memcpy(&r.data, (const T *)base + offset, sizeof(T) * N);
            return r;
        }
    }

    static HALIDE_KERNEL_INLINE Vec load_gather(const void *base, const Offsets &offsets) {
        Vec r = {};
        for (size_t i = 0; i < N; i++) {
            r.data[i] = ((const T *)base)[offsets.data[i]];
        }
        return r;
    }

    static HALIDE_KERNEL_INLINE Vec load_predicated(const void *base, const Offsets &offsets,
                                                    const Mask &predicate) {
        Vec r = {};
        for (size_t i = 0; i < N; i++) {
            if (predicate.data[i]) {
                r.data[i] = ((const T *)base)[offsets.data[i]];
            }
        }
        return r;
    }

    static HALIDE_KERNEL_INLINE void store(const Vec &value, void *base, int32_t offset) {
        if constexpr (N == halide_kernel_power_of_two(N)) {
            *(typename Vec::Place *)((T *)base + offset) = value.data;
        } else {
            memcpy((T *)base + offset, &value.data, sizeof(T) * N);
        }
    }

    static HALIDE_KERNEL_INLINE void store_scatter(const Vec &value, void *base,
                                                   const Offsets &offsets) {
        for (size_t i = 0; i < N; i++) {
            ((T *)base)[offsets.data[i]] = value.data[i];
        }
    }

    static HALIDE_KERNEL_INLINE void store_predicated(const Vec &value, void *base,
                                                      const Offsets &offsets,
                                                      const Mask &predicate) {
        for (size_t i = 0; i < N; i++) {
            if (predicate.data[i]) {
                ((T *)base)[offsets.data[i]] = value.data[i];
            }
        }
    }

    template<int... Indices, size_t Bytes, size_t Lanes>
    static HALIDE_KERNEL_INLINE Vec shuffle(const Truths<Bytes, Lanes> &a) {
        return shuffle<Indices...>((Vector<uint8_t, Lanes>)a);
    }

    template<int... Indices, size_t Lanes>
    static HALIDE_KERNEL_INLINE Vec shuffle(const Vector<T, Lanes> &a) {
        static_assert(sizeof...(Indices) == N, "a lane of the result for each index");
        constexpr int indices[] = {Indices...};
        if constexpr (halide_kernel_consecutive(indices)) {
            /* GCC takes longer vectors than those of the machine apart, lane by lane. */
            Vec r = {};
            memcpy(&r.data, (const char *)&a.data + indices[0] * sizeof(T), sizeof(T) * N);
            return r;
        } else {
            return {typename Vec::Data{a.data[Indices]...}};
        }
    }

    static HALIDE_KERNEL_INLINE Vec replace(const Vec &a, size_t lane, T value) {
        Vec r = a;
        r.data[lane] = value;
        return r;
    }

    template<size_t Bytes>
    static HALIDE_KERNEL_INLINE Vec convert_from(const Truths<Bytes, N> &a) {
        return convert_from((Mask)a);
    }

    /* A float that becomes an integer of another size does so lane by lane: compilers differ in
     * how they convert vectors of these. */
    template<typename Given>
    static HALIDE_KERNEL_INLINE Vec convert_from(const Given &a) {
        using From = typename std::decay<decltype(a[0])>::type;
        constexpr bool drops_fraction =
            std::is_floating_point<From>::value && !std::is_floating_point<T>::value;
        if constexpr (drops_fraction && sizeof(From) != sizeof(T)) {
            Vec r = {};
            for (size_t i = 0; i < N; i++) {
                r.data[i] = (T)a.data[i];
            }
            return r;
        } else {
            return {__builtin_convertvector(a.data, typename Vec::Data)};
        }
    }

    static HALIDE_KERNEL_INLINE Vec max(const Vec &a, const Vec &b) {
        return halide_kernel_max(a, b);
    }

    static HALIDE_KERNEL_INLINE Vec min(const Vec &a, const Vec &b) {
        return halide_kernel_min(a, b);
    }

    static HALIDE_KERNEL_INLINE Vec select(const Mask &condition, const Vec &on_true,
                                           const Vec &on_false) {
        using Data = typename Vector<typename Truth<sizeof(T)>::type, N>::Data;
        return {__builtin_convertvector(condition.data, Data) != 0 ? on_true.data : on_false.data};
    }

    template<size_t Bytes>
    static HALIDE_KERNEL_INLINE Vec select(const Truths<Bytes, N> &condition, const Vec &on_true,
                                           const Vec &on_false) {
        return {condition.template in_lanes_of<sizeof(T)>().data ? on_true.data : on_false.data};
    }

#define HALIDE_KERNEL_COMPARISON(name, op)                                                        \
    static HALIDE_KERNEL_INLINE Truths<sizeof(T), N> name(const Vec &a, const Vec &b) {           \
        return {(typename Truths<sizeof(T), N>::Lanes::Data)(a.data op b.data)};                  \
    }

    HALIDE_KERNEL_COMPARISON(lt, <)
    HALIDE_KERNEL_COMPARISON(le, <=)
    HALIDE_KERNEL_COMPARISON(gt, >)
    HALIDE_KERNEL_COMPARISON(ge, >=)
    HALIDE_KERNEL_COMPARISON(eq, ==)
    HALIDE_KERNEL_COMPARISON(ne, !=)

#undef HALIDE_KERNEL_COMPARISON

    static HALIDE_KERNEL_INLINE Mask logical_and(const Vec &a, const Vec &b) {
        return ne(a, broadcast(0)) & ne(b, broadcast(0));
    }

    static HALIDE_KERNEL_INLINE Mask logical_or(const Vec &a, const Vec &b) {
        return ne(a, broadcast(0)) | ne(b, broadcast(0));
    }

    template<size_t A, size_t B>
    static HALIDE_KERNEL_INLINE Truths<A, N> logical_and(const Truths<A, N> &a,
                                                         const Truths<B, N> &b) {
        return a & b;
    }

    template<size_t A, size_t B>
    static HALIDE_KERNEL_INLINE Truths<A, N> logical_or(const Truths<A, N> &a,
                                                        const Truths<B, N> &b) {
        return a | b;
    }
};

/* a * b + c for sums of products. Machines that round it once do so by one instruction. */
HALIDE_KERNEL_INLINE float multiply_add(float a, float b, float c) {
#if defined(__FP_FAST_FMAF) || defined(__FMA__)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

HALIDE_KERNEL_INLINE double multiply_add(double a, double b, double c) {
#if defined(__FP_FAST_FMA) || defined(__FMA__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

#if defined(__clang__)

template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> multiply_add(const Vector<T, N> &a, const Vector<T, N> &b,
                                               const Vector<T, N> &c) {
#pragma clang fp contract(fast)
    return {a.data * b.data + c.data};
}

#else

/* GCC has names for the instructions of each size of vectors. */
#if defined(__FMA__)
#define HALIDE_KERNEL_FUSED(type, name)                                    \
    HALIDE_KERNEL_INLINE type halide_kernel_fused(type a, type b, type c) { \
        return name(a, b, c);                                              \
    }
HALIDE_KERNEL_FUSED(__m128, _mm_fmadd_ps)
HALIDE_KERNEL_FUSED(__m128d, _mm_fmadd_pd)
HALIDE_KERNEL_FUSED(__m256, _mm256_fmadd_ps)
HALIDE_KERNEL_FUSED(__m256d, _mm256_fmadd_pd)
#if defined(__AVX512F__)
HALIDE_KERNEL_FUSED(__m512, _mm512_fmadd_ps)
HALIDE_KERNEL_FUSED(__m512d, _mm512_fmadd_pd)
#define HALIDE_KERNEL_FUSED_BYTES 64
#else
#define HALIDE_KERNEL_FUSED_BYTES 32
#endif
#undef HALIDE_KERNEL_FUSED
#elif defined(__aarch64__)
HALIDE_KERNEL_INLINE float32x4_t halide_kernel_fused(float32x4_t a, float32x4_t b, float32x4_t c) {
    return vfmaq_f32(c, a, b);
}
HALIDE_KERNEL_INLINE float64x2_t halide_kernel_fused(float64x2_t a, float64x2_t b, float64x2_t c) {
    return vfmaq_f64(c, a, b);
}
#define HALIDE_KERNEL_FUSED_BYTES 16
#endif

#if defined(HALIDE_KERNEL_FUSED_BYTES)

/* Vectors that are longer than those of the machine are added in parts. */
template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> multiply_add(const Vector<T, N> &a, const Vector<T, N> &b,
                                               const Vector<T, N> &c) {
    constexpr size_t bytes = sizeof(typename Vector<T, N>::Data);
    if constexpr (bytes < 16) {
        return {a.data * b.data + c.data};
    } else if constexpr (bytes <= HALIDE_KERNEL_FUSED_BYTES) {
        return {halide_kernel_fused(a.data, b.data, c.data)};
    } else {
        constexpr size_t lanes = HALIDE_KERNEL_FUSED_BYTES / sizeof(T);
        Vector<T, N> r = {};
        for (size_t i = 0; i < bytes; i += HALIDE_KERNEL_FUSED_BYTES) {
            Vector<T, lanes> x = {}, y = {}, z = {};
            memcpy(&x.data, (const char *)&a.data + i, sizeof x.data);
            memcpy(&y.data, (const char *)&b.data + i, sizeof y.data);
            memcpy(&z.data, (const char *)&c.data + i, sizeof z.data);
            z = multiply_add(x, y, z);
            memcpy((char *)&r.data + i, &z.data, sizeof z.data);
        }
        return r;
    }
}

#else

template<typename T, size_t N>
HALIDE_KERNEL_INLINE Vector<T, N> multiply_add(const Vector<T, N> &a, const Vector<T, N> &b,
                                               const Vector<T, N> &c) {
    return a * b + c;
}

#endif
#endif

/* The lanes of all vectors, one behind the other. */
template<typename T, size_t Lanes, typename... Rest>
HALIDE_KERNEL_INLINE Vector<T, Lanes *(1 + sizeof...(Rest))> halide_kernel_concat(
    const Vector<T, Lanes> &first, const Rest &...rest) {
    const Vector<T, Lanes> parts[] = {first, rest...};
    Vector<T, Lanes *(1 + sizeof...(Rest))> r = {};
    for (size_t i = 0; i < Lanes * (1 + sizeof...(Rest)); i++) {
        r.data[i] = parts[i / Lanes].data[i % Lanes];
    }
    return r;
}

template<typename T, typename... Rest,
         typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
HALIDE_KERNEL_INLINE Vector<T, 1 + sizeof...(Rest)> halide_kernel_concat(T first, Rest... rest) {
    return {typename Vector<T, 1 + sizeof...(Rest)>::Data{first, rest...}};
}

template<size_t Bytes, size_t Lanes, typename... Rest>
HALIDE_KERNEL_INLINE Vector<uint8_t, Lanes *(1 + sizeof...(Rest))> halide_kernel_concat(
    const Truths<Bytes, Lanes> &first, const Rest &...rest) {
    return halide_kernel_concat((Vector<uint8_t, Lanes>)first, (Vector<uint8_t, Lanes>)rest...);
}

}  // namespace
