#include "eval/device_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hash.h"
#include "base/text.h"

namespace kbx::eval {
namespace {

// Driver functions that change nothing on the device or are on the tape.
constexpr std::array kHarmless{
    std::string_view("cuCtx"), std::string_view("cuDevice"), std::string_view("cuDriverGet"), std::string_view("cuEvent"), std::string_view("cuFunc"),
    std::string_view("cuGetError"), std::string_view("cuGetProcAddress"), std::string_view("cuGetExportTable"), std::string_view("cuGraphCreate"),
    std::string_view("cuGraphDestroy"), std::string_view("cuGraphExecDestroy"), std::string_view("cuGraphGet"), std::string_view("cuGraphInstantiate"),
    std::string_view("cuGraphKernelNodeGet"), std::string_view("cuGraphLaunch"), std::string_view("cuGraphNodeGet"), std::string_view("cuGraphUpload"),
    std::string_view("cuInit"), std::string_view("cuKernel"), std::string_view("cuLaunchKernel"), std::string_view("cuLaunchCooperativeKernel"),
    std::string_view("cuLibrary"), std::string_view("cuMemAlloc"), std::string_view("cuMemFree"), std::string_view("cuMemGet"), std::string_view("cuMemHost"),
    std::string_view("cuMemcpy"), std::string_view("cuMemset"), std::string_view("cuMemAddressReserve"), std::string_view("cuMemCreate"),
    std::string_view("cuMemMap"), std::string_view("cuMemSetAccess"), std::string_view("cuMemRelease"), std::string_view("cuModule"),
    std::string_view("cuOccupancy"), std::string_view("cuPointerGet"), std::string_view("cuStream"), std::string_view("cuTensorMapEncode"),
    std::string_view("cuThreadExchangeStreamCaptureMode")};

bool harmless(std::string_view call) {
  return std::any_of(kHarmless.begin(), kHarmless.end(), [&](std::string_view head) { return starts_with(call, head); });
}

struct Library {
  std::string_view in_path, name;
};
constexpr std::array kLibraries{Library{"cublas", "cublas"},   Library{"cudnn", "cudnn"},     Library{"cusolver", "cusolver"}, Library{"cufft", "cufft"},
                                Library{"cusparse", "cusparse"}, Library{"curand", "curand"}, Library{"nccl", "nccl"},         Library{"magma", "magma"}};

std::string library_of(const DeviceImage& image) {
  for (const Library& l : kLibraries)
    if (image.origin.find(l.in_path) != image.origin.npos) return std::string(l.name);
  if (image.origin.find("torch") != image.origin.npos) return "aten";
  if (image.origin != "heap") return image.origin.substr(image.origin.rfind('/') + 1);
  // cuBLASLt and cuDNN make images at run time and load them as libraries; Triton loads modules.
  return image.via == DeviceImage::Via::library_data || image.via == DeviceImage::Via::library_file ? "a library's runtime kernel" : "";
}

class Reading {
 public:
  Reading(const DeviceTape& tape, const std::set<std::string>& own) : tape_(tape), own_(own) {}

  DeviceReading make() {
    for (const DeviceEntry& e : tape_.entries) std::visit([this](const auto& v) { see(v); }, e);
    if (!tape_.trouble.empty()) out_.why_not = tape_.trouble.front();
    for (const DeviceImage& i : tape_.images)
      if (i.kind == DeviceImage::Kind::unknown) out_.why_not = "an image of unknown format";
    if (!tape_.launches()) flag("empty");
    if (out_.host_read) flag("host read");
    if (!tape_.constants.empty()) flag("constants");
    if (tape_.streams > 1) flag(fmt::format("{} streams", tape_.streams));
    if (tape_.threads > 1) flag(fmt::format("{} threads", tape_.threads));
    for (const auto& [call, times] : tape_.calls)
      if (!harmless(call)) flag("unhandled API " + clean_utf8(call, 80));
    std::vector<std::string> named;
    for (const LibraryKernel& k : out_.work)
      if (std::find(named.begin(), named.end(), k.library) == named.end()) flag("library " + named.emplace_back(k.library));
    if (foreign_) flag("an image that is not in its Triton cache");
    if (tape_.launches() && !out_.own_kernels) flag("no kernel of its own");
    return std::move(out_);
  }

 private:
  void flag(std::string text) { out_.flags.push_back("tape: " + std::move(text)); }
  void see(const DeviceLaunch& l) {
    const DeviceFunction& f = tape_.functions[l.function];
    const DeviceImage& image = tape_.images[f.image];
    if (library_of(image).empty()) {
      out_.own_kernels = true;
      if (!own_.empty() && !own_.count(sha256_hex({reinterpret_cast<const char*>(image.data.data()), image.data.size()}))) foreign_ = true;
      return;
    }
    auto kernel = library_kernel(tape_, l);
    if (!kernel) {
      out_.copies |= f.name.find("Fill") == f.name.npos && f.name.find("arange") == f.name.npos;
      return;
    }
    auto same = std::find_if(out_.work.begin(), out_.work.end(), [&](const LibraryKernel& k) { return k.library == kernel->library && k.name == kernel->name; });
    if (same == out_.work.end()) out_.work.push_back(std::move(*kernel));
    else same->blocks = std::max(same->blocks, kernel->blocks);
  }
  void see(const DeviceCopy& c) {
    out_.copies |= c.kind == DeviceCopy::Kind::on_device;
    if (c.kind != DeviceCopy::Kind::to_host) return;
    out_.host_read = true;
    out_.host_bytes += c.columns * c.rows;
  }
  template <class T>
  void see(const T&) {}

  const DeviceTape& tape_;
  const std::set<std::string>& own_;
  DeviceReading out_;
  bool foreign_ = false;
};

}  // namespace

bool is_helper_kernel(const std::string& mangled) {
  constexpr std::array kHelpers{"FillFunctor", "direct_copy_kernel", "copy_kernel", "CatArrayBatchedCopy", "arange", "LoadWithCast", "float16_copy", "bfloat16_copy", "float8_copy"};
  return std::any_of(kHelpers.begin(), kHelpers.end(), [&](const char* part) { return mangled.find(part) != mangled.npos; });
}

std::optional<LibraryKernel> library_kernel(const DeviceTape& tape, const DeviceLaunch& launch) {
  const DeviceFunction& f = tape.functions[launch.function];
  std::string library = library_of(tape.images[f.image]);
  bool aten = library == "aten";
  if (library.empty() || (aten && is_helper_kernel(f.name))) return std::nullopt;
  if (aten) library += ": " + clean_utf8(f.name, 120);
  return LibraryKernel{std::move(library), f.name, aten, int64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2]};
}

DeviceReading read_device_tape(const DeviceTape& tape, const std::set<std::string>& own_images) { return Reading(tape, own_images).make(); }

}  // namespace kbx::eval
