#include "base/sha256_x86.h"

#include "base/check.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

#include <array>

namespace kbx {
namespace {

alignas(16) constexpr std::array<uint32_t, 64> kRounds{  // FIPS 180-4, section 4.2.2
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

const __m128i* vector_at(const void* at) { return static_cast<const __m128i*>(at); }

}  // namespace

bool has_sha256_instructions() {
  static const bool known = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    bool sse = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_SSSE3);
    return sse && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
  }();
  return known;
}

__attribute__((target("sha,sse4.1,ssse3"))) void sha256_blocks(uint32_t state[8], const uint8_t* bytes, size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  // The instructions want the eight words as (a, b, e, f) and (c, d, g, h), the first one highest.
  __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(vector_at(state)), 0xB1), hgfe = _mm_shuffle_epi32(_mm_loadu_si128(vector_at(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];  // the last 16 words of the message schedule
#pragma GCC unroll 16
    for (int k = 0; k < 16; k++) {  // four rounds each
      __m128i& now = w[k % 4];
      const __m128i &last = w[(k + 3) % 4], &before = w[(k + 2) % 4];
      if (k < 4) now = _mm_shuffle_epi8(_mm_loadu_si128(vector_at(bytes + 16 * k)), big_endian);
      else now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w[(k + 1) % 4]), _mm_alignr_epi8(last, before, 4)), last);
      __m128i sum = _mm_add_epi32(now, _mm_load_si128(vector_at(&kRounds[size_t(4 * k)])));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

}  // namespace kbx
#else
namespace kbx {
bool has_sha256_instructions() { return false; }
void sha256_blocks(uint32_t*, const uint8_t*, size_t) { KBX_UNREACHABLE("no instructions for SHA-256"); }
}  // namespace kbx
#endif
