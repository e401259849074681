// Every function of the driver's table that the fake does not have: a weak name each, only there to be found.
#include "cuda/driver.h"

extern "C" int kbx_unused() { return CUDA_ERROR_NOT_SUPPORTED; }
#define KBX_WEAK(function, symbol) asm(".weak " symbol "\n.set " symbol ", kbx_unused");
KBX_CUDA_FUNCTIONS(KBX_WEAK)
