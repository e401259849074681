// Handles: modules, libraries, kernels and functions of the process, followed from the first load on, so that a launch
// can be named as (image, function).
#pragma once
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "probe/image.h"
#include "probe/lookup.h"

namespace kbx::probe {

struct LoadedImage {
  DeviceImage::Kind kind = DeviceImage::Kind::unknown;
  DeviceImage::Via via = DeviceImage::Via::module_data;
  std::string origin;
  const void* start = nullptr;  // of an image in a library, which stays where it is
  uint64_t bytes = 0;
  Bytes copy;  // of an image on the heap, made when it is loaded

  DeviceImage taken() const;
};

struct LoadedFunction {
  size_t image = 0;
  std::string name;
  std::vector<DeviceParameter> parameters;
  uint32_t parameter_bytes = 0;
};
struct FunctionAttributes {
  int32_t dynamic_shared = -1, cache_config = -1, nonportable_cluster = -1, carveout = -1;
};

class Handles {
 public:
  explicit Handles(Lookup& lookup) : lookup_(lookup) {}

  void module_loaded(Handle module, const void* image, DeviceImage::Via via);
  void library_loaded(Handle library, const void* image);
  void module_from_file(Handle module, const char* path);
  void library_from_file(Handle library, const char* path);
  void module_unloaded(Handle module);
  void library_unloaded(Handle library);
  void function_named(Handle function, Handle module, const char* name);
  void kernel_named(Handle kernel, Handle library, const char* name);
  void function_of_kernel(Handle function, Handle kernel);
  void module_of_library(Handle module, Handle library);
  void attribute_set(Handle function, int attribute, int value);  // CU_FUNC_ATTRIBUTE_*
  void cache_config_set(Handle function, int config);

  // `symbol`: the name that the launch came with, or null. Null and `why` when image or parameters are not known.
  const LoadedFunction* resolve(Handle function, const char* symbol, std::string& why);
  // A kernel and the function made of it are one.
  Handle canonical(Handle function) const;
  FunctionAttributes attributes_of(Handle function) const;
  const LoadedImage& image(size_t k) const { return images_[k]; }
  size_t images() const { return images_.size(); }

 private:
  size_t add(const void* image, DeviceImage::Via via);
  size_t add_file(const char* path, DeviceImage::Via via);
  bool find_image(Handle function, size_t& image);
  // The one function of that name whose image is known: a graph's node names functions that nobody asked for.
  bool find_namesake(const std::string& name, size_t& image) const;
  void forget(Handle function);

  Lookup& lookup_;
  std::deque<LoadedImage> images_;
  std::map<Handle, size_t> modules_, libraries_;  // -> image
  std::map<Handle, Handle> function_modules_, kernel_libraries_, function_kernels_;
  std::map<Handle, std::string> names_;
  std::map<Handle, FunctionAttributes> attributes_;
  std::map<Handle, LoadedFunction> resolved_;
};

}  // namespace kbx::probe
