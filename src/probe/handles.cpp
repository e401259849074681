// cudart launches with a CUkernel cast to CUfunction, and sets attributes on either: canonical() makes them one.
#include "probe/handles.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

namespace kbx::probe {
namespace {

template <class Map>
auto find_in(const Map& map, Handle key) -> const typename Map::mapped_type* {
  auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

}  // namespace

DeviceImage LoadedImage::taken() const {
  DeviceImage out{kind, via, origin, copy};
  if (copy.empty() && start)
    out.data.assign(static_cast<const std::byte*>(start), static_cast<const std::byte*>(start) + bytes);
  return out;
}

size_t Handles::add(const void* image, DeviceImage::Via via) {
  ImageExtent extent = extent_of(image);
  LoadedImage loaded{extent.kind, via, origin_of(extent.start), extent.start, extent.bytes, {}};
  if (loaded.origin == "heap" && extent.bytes) {
    auto from = static_cast<const std::byte*>(extent.start);
    loaded.copy.assign(from, from + extent.bytes);
    loaded.start = nullptr;
  }
  images_.push_back(std::move(loaded));
  return images_.size() - 1;
}

size_t Handles::add_file(const char* path, DeviceImage::Via via) {
  LoadedImage loaded;
  loaded.via = via;
  loaded.origin = path ? path : "";
  std::ifstream file(loaded.origin, std::ios::binary);
  std::string data{std::istreambuf_iterator<char>(file), {}};
  loaded.bytes = data.size();
  if (data.size() > 64) loaded.kind = extent_of(data.c_str()).kind;
  auto from = reinterpret_cast<const std::byte*>(data.data());
  loaded.copy.assign(from, from + data.size() + (loaded.kind == DeviceImage::Kind::ptx));  // a text ends with NUL
  images_.push_back(std::move(loaded));
  return images_.size() - 1;
}

void Handles::module_loaded(Handle module, const void* image, DeviceImage::Via via) {
  modules_[module] = add(image, via);
}
void Handles::library_loaded(Handle library, const void* image) {
  libraries_[library] = add(image, DeviceImage::Via::library_data);
}
void Handles::module_from_file(Handle module, const char* path) {
  modules_[module] = add_file(path, DeviceImage::Via::module_file);
}
void Handles::library_from_file(Handle library, const char* path) {
  libraries_[library] = add_file(path, DeviceImage::Via::library_file);
}

void Handles::forget(Handle function) {
  names_.erase(function);
  attributes_.erase(function);
  resolved_.erase(function);
}

void Handles::module_unloaded(Handle module) {
  modules_.erase(module);
  for (auto it = function_modules_.begin(); it != function_modules_.end();)
    if (it->second == module) {
      forget(it->first);
      it = function_modules_.erase(it);
    } else {
      ++it;
    }
}

void Handles::library_unloaded(Handle library) {
  libraries_.erase(library);
  for (auto it = kernel_libraries_.begin(); it != kernel_libraries_.end();)
    if (it->second == library) {
      forget(it->first);
      std::erase_if(function_kernels_, [&](const auto& pair) { return pair.second == it->first; });
      it = kernel_libraries_.erase(it);
    } else {
      ++it;
    }
}

void Handles::function_named(Handle function, Handle module, const char* name) {
  if (auto known = find_in(function_modules_, function); !known || *known != module) forget(function);
  function_kernels_.erase(function);
  function_modules_[function] = module;
  if (name) names_[function] = name;
}

void Handles::kernel_named(Handle kernel, Handle library, const char* name) {
  if (auto known = find_in(kernel_libraries_, kernel); !known || *known != library) forget(kernel);
  kernel_libraries_[kernel] = library;
  if (name) names_[kernel] = name;
}

void Handles::function_of_kernel(Handle function, Handle kernel) {
  if (function == kernel) return;
  if (auto old = find_in(attributes_, function)) attributes_[kernel] = *old;
  function_kernels_[function] = kernel;
}

void Handles::module_of_library(Handle module, Handle library) {
  if (auto image = find_in(libraries_, library)) modules_[module] = *image;
}

Handle Handles::canonical(Handle function) const {
  auto kernel = find_in(function_kernels_, function);
  return kernel ? *kernel : function;
}

void Handles::attribute_set(Handle function, int attribute, int value) {
  FunctionAttributes& a = attributes_[canonical(function)];
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) a.dynamic_shared = value;
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) a.nonportable_cluster = value;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) a.carveout = value;
}
void Handles::cache_config_set(Handle function, int config) { attributes_[canonical(function)].cache_config = config; }

FunctionAttributes Handles::attributes_of(Handle function) const {
  auto found = find_in(attributes_, canonical(function));
  return found ? *found : FunctionAttributes{};
}

bool Handles::find_image(Handle function, size_t& image) {
  auto take = [&](const std::map<Handle, size_t>& owners, const Handle* owner) {
    const size_t* found = owner && *owner ? find_in(owners, *owner) : nullptr;
    if (found) image = *found;
    return found != nullptr;
  };
  if (take(libraries_, find_in(kernel_libraries_, function))) return true;
  if (take(modules_, find_in(function_modules_, function))) return true;
  Handle module = lookup_.module_of(function);
  if (take(modules_, &module)) return true;
  Handle library = lookup_.library_of(function);
  return take(libraries_, &library);
}

bool Handles::find_namesake(const std::string& name, size_t& image) const {
  std::optional<size_t> found;
  for (const auto& [function, known] : names_) {
    if (known != name) continue;
    auto module = find_in(function_modules_, function), library = find_in(kernel_libraries_, function);
    const size_t* at = library ? find_in(libraries_, *library) : module ? find_in(modules_, *module) : nullptr;
    if (!at) continue;
    if (found && *found != *at) return false;
    found = *at;
  }
  if (found) image = *found;
  return found.has_value();
}

const LoadedFunction* Handles::resolve(Handle given, const char* symbol, std::string& why) {
  Handle function = canonical(given);
  if (auto known = find_in(resolved_, function)) return known;
  LoadedFunction out;
  auto name = find_in(names_, function);
  out.name = name ? *name : symbol ? symbol : lookup_.name_of(function);
  if (!find_image(function, out.image) && (out.name.empty() || !find_namesake(out.name, out.image))) {
    why = fmt::format("the code of {} was loaded in a way that was not seen", out.name);
    return nullptr;
  }
  if (!images_[out.image].bytes) {
    why = fmt::format("the image of {} has an unknown format", out.name);
    return nullptr;
  }
  why = lookup_.parameters_of(function, out.parameters);
  if (!why.empty()) return nullptr;
  for (const DeviceParameter& p : out.parameters)
    out.parameter_bytes = std::max(out.parameter_bytes, p.offset + p.size);
  return &(resolved_[function] = std::move(out));
}

}  // namespace kbx::probe
