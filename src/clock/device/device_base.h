// What the trusted device code asks of its compiler. It is CUDA C++ for NVRTC, which has no standard headers, and plain
// C++ for the tests that run the same functions on the host: one thread, in one warp of one lane.
#pragma once
#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef unsigned short uint16_t;
typedef short int16_t;
typedef unsigned int uint32_t;
typedef int int32_t;
typedef unsigned long long uint64_t;
typedef long long int64_t;
#define KBX_DEVICE __device__ __forceinline__
#define KBX_KERNEL extern "C" __global__ void
#else
#include <bit>
#include <cmath>
#include <cstdint>
#define KBX_DEVICE inline
#define KBX_KERNEL inline void
#endif

namespace kbx::clock::device {

// What memory holds before a play: a NaN in every floating type of more than a byte. Byte k of it stands at addresses
// that are k modulo 4.
constexpr uint32_t kPoisonWord = 0x7fff7fffu;

// A piece of memory by its addresses.
struct Piece {
  uint64_t at, bytes;
};
struct Move {
  uint64_t to, from, bytes;
};

#ifdef __CUDACC_RTC__
KBX_DEVICE uint32_t bits_of(float x) { return __float_as_uint(x); }
KBX_DEVICE uint64_t bits_of(double x) { return uint64_t(__double_as_longlong(x)); }
KBX_DEVICE float float_of(uint32_t b) { return __uint_as_float(b); }
KBX_DEVICE double float_of(uint64_t b) { return __longlong_as_double(int64_t(b)); }
KBX_DEVICE double root_of(double x) { return sqrt(x); }
KBX_DEVICE float root_of(float x) { return sqrtf(x); }
KBX_DEVICE double nearest_integer(double x) { return rint(x); }
KBX_DEVICE double floor_of(double x) { return floor(x); }

KBX_DEVICE uint64_t thread_index() { return blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; }
KBX_DEVICE uint64_t thread_count() { return uint64_t(gridDim.x) * blockDim.x; }
KBX_DEVICE uint32_t block_index() { return blockIdx.x; }
KBX_DEVICE uint32_t block_count() { return gridDim.x; }
// Within the blocks that share one item of a table: blocks of one x, numbered by y.
KBX_DEVICE uint64_t item_thread() { return blockIdx.y * uint64_t(blockDim.x) + threadIdx.x; }
KBX_DEVICE uint64_t item_threads() { return uint64_t(gridDim.y) * blockDim.x; }
KBX_DEVICE uint32_t lane() { return threadIdx.x & 31; }
constexpr uint32_t kWarp = 32;

template <class T>
KBX_DEVICE T warp_sum(T x) {
  for (int step = 16; step > 0; step >>= 1) x += __shfl_xor_sync(0xffffffffu, x, step);
  return x;
}
KBX_DEVICE void atomic_add(uint64_t* to, uint64_t x) { atomicAdd(to, x); }
KBX_DEVICE void atomic_add(double* to, double x) { atomicAdd(to, x); }
KBX_DEVICE void atomic_max(uint64_t* to, uint64_t x) { atomicMax(to, x); }
KBX_DEVICE void atomic_min(uint64_t* to, uint64_t x) { atomicMin(to, x); }
#else
inline uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t bits_of(double x) { return std::bit_cast<uint64_t>(x); }
inline float float_of(uint32_t b) { return std::bit_cast<float>(b); }
inline double float_of(uint64_t b) { return std::bit_cast<double>(b); }
inline double root_of(double x) { return std::sqrt(x); }
inline float root_of(float x) { return std::sqrt(x); }
inline double nearest_integer(double x) { return std::nearbyint(x); }
inline double floor_of(double x) { return std::floor(x); }

inline uint64_t thread_index() { return 0; }
inline uint64_t thread_count() { return 1; }
inline uint32_t block_index() { return 0; }
inline uint32_t block_count() { return 1; }
inline uint64_t item_thread() { return 0; }
inline uint64_t item_threads() { return 1; }
inline uint32_t lane() { return 0; }
constexpr uint32_t kWarp = 1;

template <class T>
inline T warp_sum(T x) { return x; }
inline void atomic_add(uint64_t* to, uint64_t x) { *to += x; }
inline void atomic_add(double* to, double x) { *to += x; }
inline void atomic_max(uint64_t* to, uint64_t x) { *to = *to < x ? x : *to; }
inline void atomic_min(uint64_t* to, uint64_t x) { *to = *to > x ? x : *to; }
#endif

template <class T>
KBX_DEVICE T* pointer(uint64_t at) { return reinterpret_cast<T*>(at); }

}  // namespace kbx::clock::device
