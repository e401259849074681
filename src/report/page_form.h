// PageForm: a template of src/report/page with its texts and its content security policy.
#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "report/sink.h"

namespace kbx::report {

struct PageForm {
  std::string_view shell;   // HTML with {{name}} places
  std::string script;       // the page's own, page_script()
  std::string more_scripts; // more sources of scripts for the policy: "" or "'self'"
  std::map<std::string, std::string> texts;  // trusted HTML by name; style, chart, page, policy and version are there already
};

// The parts in one scope.
std::string page_script(std::initializer_list<const char*> parts);

// `fill` writes what stands at any other name.
Result<void> write_form(const PageForm& form, const Sink& out, const std::function<Result<void>(std::string_view name)>& fill);

// Text as HTML's text or as an attribute's value in double quotes; invalid UTF-8 is replaced.
std::string html_text(std::string_view text, size_t most = size_t(-1));
// As JavaScript's encodeURIComponent.
std::string uri_component(std::string_view text);

}  // namespace kbx::report
