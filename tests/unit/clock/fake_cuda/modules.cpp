// Modules, functions and launches: trusted kernels run on the host, a candidate's by their names. And an NVRTC.
#include <cstring>

#include "clock/device/trusted.cu"
#include "fake.h"

namespace device = kbx::clock::device;
namespace {

constexpr char kTrusted[] = "FAKECUBIN of the trusted code";

template <class... A, size_t... k>
void invoke(void (*f)(A...), void** p, std::index_sequence<k...>) { f(*static_cast<A*>(p[k])...); }
template <class... A>
void invoke(void (*f)(A...), void** p) { invoke(f, p, std::index_sequence_for<A...>()); }

double us_of(const std::string& name) {
  size_t at = name.find("_us");
  return at == name.npos ? 1 : std::atof(name.c_str() + at + 3);
}

void run_candidate(const std::string& name, uint64_t from, uint64_t to, uint64_t count) {
  auto x = reinterpret_cast<const float*>(from);
  auto y = reinterpret_cast<float*>(to);
  auto is = [&](const char* what) { return name.rfind(what, 0) == 0; };
  if (is("hang")) fake().hung = true;
  if (is("illegal")) fake().sticky = CUDA_ERROR_ILLEGAL_ADDRESS;
  if (is("scale") || is("overrun"))
    for (uint64_t k = 0; k < count; k++) y[k] = 2 * x[k];
  if (is("copy")) std::memmove(y, x, count * sizeof(float));
  if (is("overrun"))
    for (uint64_t k = 0; k < 24; k++) y[count + 4 + k] = 1;
  // Counts its runs in memory that is neither input nor output, and is right only in the first one.
  if (is("stateful"))
    for (uint64_t k = 0; k < count; k++) y[k] = y[count + 64] == 1 ? 0 : 2 * x[k];
  if (is("stateful")) y[count + 64] = 1;
}

void probe(uint64_t cycles, uint64_t* out) {
  long n = ++fake().probes;
  bool low = n >= fake().setting("low_from") && n < fake().setting("low_to");
  out[0] = cycles;
  out[1] = cycles * 1000 / (low ? 1400 : 1980);
}

CUresult launch(CUfunction f, void** p) {
  auto function = reinterpret_cast<FakeFunction*>(f);
  if (function->trusted) {
    // Arguments are read when the launch is made.
    std::string name = function->name;
    if (name == "read_flush" || name == "scrub_shared" || name == "nothing") return enqueue([] { fake().now_us += 1; });
    if (fake().capturing) return CUDA_ERROR_NOT_SUPPORTED;
    if (fake().sticky) return fake().sticky;
    run_trusted(name, p);
    fake().now_us += 1;
    return CUDA_SUCCESS;
  }
  if (fake().setting("launch")) return CUDA_ERROR_INVALID_VALUE;
  uint64_t v[3];
  for (int k = 0; k < 3; k++) std::memcpy(&v[k], p[k], 8);
  return enqueue([function, a = v[0], b = v[1], n = v[2]] {
    run_candidate(function->name, a, b, n);
    fake().now_us += function->us;
  });
}

}  // namespace

void run_trusted(const std::string& name, void** p) {
  if (name == "draw_single") invoke(device::draw_single, p);
  else if (name == "draw_double") invoke(device::draw_double, p);
  else if (name == "draw_reflectors") invoke(device::draw_reflectors, p);
  else if (name == "draw_matrices") invoke(device::draw_matrices, p);
  else if (name == "poison_pieces") invoke(device::poison_pieces, p);
  else if (name == "move_pieces") invoke(device::move_pieces, p);
  else if (name == "guard_pieces") invoke(device::guard_pieces, p);
  else if (name == "checksum") invoke(device::checksum, p);
  else if (name == "gather") invoke(device::gather, p);
  else if (name == "compare_first") invoke(device::compare_first, p);
  else if (name == "compare_second") invoke(device::compare_second, p);
  else if (name == "probe_clock") invoke(probe, p);
}

CUresult cuModuleLoadData(CUmodule* m, const void* data) {
  auto module = new FakeModule;
  module->trusted = std::memcmp(data, kTrusted, sizeof kTrusted - 1) == 0;
  if (!module->trusted && (fake().setting("image") || std::memcmp(data, "\177ELF", 4) != 0)) return delete module, CUDA_ERROR_INVALID_IMAGE;
  fake().modules++;
  return *m = reinterpret_cast<CUmodule>(module), CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule m) {
  auto module = reinterpret_cast<FakeModule*>(m);
  for (auto& [name, f] : module->functions) delete f;
  return delete module, CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* f, CUmodule m, const char* name) {
  auto module = reinterpret_cast<FakeModule*>(m);
  if (std::strcmp(name, "missing") == 0) return CUDA_ERROR_NOT_FOUND;
  FakeFunction*& function = module->functions[name];
  if (!function) function = new FakeFunction{name, module->trusted, us_of(name)};
  return *f = reinterpret_cast<CUfunction>(function), CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr*, size_t*, CUmodule, const char*) { return CUDA_ERROR_NOT_FOUND; }
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
CUresult cuFuncGetAttribute(int* v, CUfunction_attribute, CUfunction) { return *v = 0, CUDA_SUCCESS; }
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuFuncGetModule(CUmodule*, CUfunction) { return CUDA_ERROR_NOT_SUPPORTED; }
CUresult cuFuncGetParamInfo(CUfunction, size_t k, size_t* offset, size_t* size) {
  if (k >= 3) return CUDA_ERROR_INVALID_VALUE;
  return *offset = 8 * k, *size = 8, CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void** p, void**) { return launch(f, p); }
CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction f, void** p, void**) { return c->gridDimX ? launch(f, p) : CUDA_ERROR_INVALID_VALUE; }

extern "C" {
int nvrtcVersion(int* major, int* minor) { return *major = 12, *minor = 8, 0; }
int nvrtcCreateProgram(void** p, const char*, const char*, int, const char* const*, const char* const*) { return *p = nullptr, 0; }
int nvrtcDestroyProgram(void**) { return 0; }
int nvrtcCompileProgram(void*, int, const char* const*) { return fake().setting("nvrtc") ? 6 : 0; }
int nvrtcGetProgramLogSize(void*, size_t* n) { return *n = 10, 0; }
int nvrtcGetProgramLog(void*, char* to) { return std::memcpy(to, "a mistake", 10), 0; }
int nvrtcGetCUBINSize(void*, size_t* n) { return *n = sizeof kTrusted, 0; }
int nvrtcGetCUBIN(void*, char* to) { return std::memcpy(to, kTrusted, sizeof kTrusted), 0; }
}
