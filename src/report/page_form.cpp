// PageForm: see the header.
#include "report/page_form.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/version.h"
#include "report/chart.h"
#include "report/page.h"
#include "report/style.h"

namespace kbx::report {
namespace {

std::string bytes_of_hex(std::string_view hex) {
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (size_t k = 0; k + 1 < hex.size(); k += 2) out += char(digit(hex[k]) << 4 | digit(hex[k + 1]));
  return out;
}

}  // namespace

std::string page_script(std::initializer_list<const char*> parts) {
  std::string out = "\"use strict\";\n(() => {\n";
  for (const char* part : parts) out += std::string(part) + "\n";
  return out + "})();\n";
}

std::string script_json(const Json& value) {
  std::string text = dump_json(value), out;
  out.reserve(text.size() + text.size() / 16);
  for (char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string policy_hash(std::string_view text) {
  std::string digest = bytes_of_hex(sha256_hex(text));
  return "sha256-" + to_base64(reinterpret_cast<const std::byte*>(digest.data()), digest.size());
}

Result<void> write_form(const PageForm& form, const Sink& out, const std::function<Result<void>(std::string_view name)>& fill) {
  std::map<std::string, std::string, std::less<>> texts(form.texts.begin(), form.texts.end());
  texts["version"] = kEngineVersion;
  texts["style"] = kStyleCss;
  texts["chart"] = kChartJs;
  texts["page"] = form.script;
  texts["policy"] = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + policy_hash(kStyleCss) + "'; script-src '" + policy_hash(kChartJs) + "' '" + policy_hash(form.script) + "'" +
                    (form.more_scripts.empty() ? "" : " " + form.more_scripts);
  std::string_view rest = form.shell;
  for (size_t open; (open = rest.find("{{")) != rest.npos;) {
    size_t close = rest.find("}}", open);
    KBX_CHECK(close != rest.npos);  // a {{ without }} in the template
    std::string_view name = rest.substr(open + 2, close - open - 2);
    out(rest.substr(0, open));
    auto text = texts.find(name);
    if (text != texts.end())
      out(text->second);
    else
      KBX_TRY(fill(name));
    rest.remove_prefix(close + 2);
  }
  out(rest);
  return {};
}

std::string html_text(std::string_view text, size_t most) {
  std::string out;
  for (char c : shown(text, most)) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

std::string uri_component(std::string_view text) {
  std::string out;
  for (char c : clean_utf8(text)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("-_.!~*'()").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace kbx::report
