// Cupti: NVIDIA's callbacks before and after every call of the driver, from a library found at run time. One subscriber
// a process is allowed.
#pragma once
#include <cupti.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace kbx::probe {

class Cupti {
 public:
  // The libraries to try first; else one that is loaded already, else the usual names. Error: code sandbox.
  static Result<Cupti> load(const std::vector<std::string>& paths);

  // "" or why it cannot be. `callback` is called for `always` from now on.
  std::string subscribe(CUpti_CallbackFunc callback, void* data, const std::vector<CUpti_CallbackId>& always);
  std::string record(bool on);  // every call of the driver, or `always` only
  const std::string& path() const { return path_; }

 private:
  std::string why(const char* call, CUptiResult code) const;
  std::string want_always();

  decltype(&::cuptiSubscribe) subscribe_ = nullptr;
  decltype(&::cuptiEnableCallback) enable_callback_ = nullptr;
  decltype(&::cuptiEnableDomain) enable_domain_ = nullptr;
  decltype(&::cuptiGetResultString) result_string_ = nullptr;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::vector<CUpti_CallbackId> always_;
  std::string path_;
};

}  // namespace kbx::probe
