#include "gpu/sanitizer_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "base/text.h"

namespace kbx::gpu {
namespace {

constexpr std::string_view kMark = "=========";
constexpr size_t kMostLine = 2000, kMostName = 200, kMostDetail = 400;

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

int64_t number_at(std::string_view text, size_t& at) {
  int64_t value = 0;
  bool any = false;
  for (; at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) || (any && text[at] == ',')); at++) {
    if (text[at] == ',') break;
    value = std::min<int64_t>(value * 10 + (text[at] - '0'), int64_t(1) << 50);
    any = true;
  }
  return any ? value : -1;
}

// "(1,0,0)" or "(1, 0, 0)" behind `word`.
std::vector<int64_t> triple_after(std::string_view text, std::string_view word) {
  size_t at = text.find(word);
  if (at == text.npos) return {};
  at += word.size();
  std::vector<int64_t> out;
  for (int k = 0; k < 3; k++) {
    while (at < text.size() && (text[at] == ' ' || text[at] == ',' || text[at] == '(')) at++;
    int64_t value = number_at(text, at);
    if (value < 0) return {};
    out.push_back(value);
  }
  return out;
}

// The line number at the end of "FILE:LINE"; 0 = there is none.
int line_of(std::string_view text, std::string_view& file) {
  size_t colon = text.rfind(':');
  if (colon == text.npos || colon + 1 >= text.size()) return 0;
  std::string_view digits = text.substr(colon + 1);
  if (digits.size() > 8 || !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); })) return 0;
  file = text.substr(0, colon);
  return std::atoi(std::string(digits).c_str());
}

std::string name_of(std::string_view text) {
  text = text.substr(0, text.find('('));
  size_t plus = text.rfind("+0x");
  if (plus != text.npos) text = text.substr(0, plus);
  return shown(trim(text).substr(0, kMostName));
}
std::string file_of(std::string_view text) {
  size_t slash = text.rfind('/');
  return shown(trim(slash == text.npos ? text : text.substr(slash + 1)).substr(0, kMostName));
}

// The older form puts the name last: "FILE:LINE:NAME(int *)".
CodePlace older_place(std::string_view right) {
  CodePlace out;
  std::string_view before = right.substr(0, right.find('('));
  size_t colon = before.rfind(':');
  while (colon != before.npos && colon > 0 && before[colon - 1] == ':') colon = before.rfind(':', colon - 2);  // a::b is one name
  std::string_view file;
  if (colon != before.npos && (out.line = line_of(before.substr(0, colon), file)) > 0) {
    out.file = file_of(file);
    out.kernel = name_of(right.substr(colon + 1));
  } else if ((out.line = line_of(right, file)) > 0) {
    out.file = file_of(file);
  } else {
    out.kernel = name_of(right);
  }
  return out;
}

class Reader {
 public:
  SanitizerLog read(std::string_view text) {
    text = text.substr(0, kMostLogBytes);
    while (!text.empty()) {
      size_t end = text.find('\n');
      std::string_view line = text.substr(0, std::min(end, text.size()));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      if (starts_with(line, kMark)) see(trim(line.substr(kMark.size()).substr(0, kMostLine)));
    }
    close();
    return std::move(log_);
  }

 private:
  void see(const std::string& line) {
    if (line.empty()) return close();
    if (opens(line)) return;
    if (has(line, "ERROR SUMMARY") || has(line, "RACECHECK SUMMARY")) {
      close();
      log_.complete = true;
    } else if (open_) {
      add(line);
    } else if (log_.trouble.empty() && is_trouble(line)) {
      log_.trouble = shown(line, kMostDetail);
    }
  }

  static bool is_trouble(const std::string& line) {
    constexpr std::array kWords{"Internal Sanitizer Error", "Internal error", "terminated before first instrumented", "Unable to", "not supported", "out of memory",
                                "Error: No attachable process", "Error: Failed", "Device not supported"};
    return std::any_of(kWords.begin(), kWords.end(), [&](const char* w) { return has(line, w); });
  }

  // Does the line begin a report?
  bool opens(const std::string& line) {
    SanitizerIssue issue;
    std::string text = line;
    bool warns = false;
    for (std::string_view head : {"Warning:", "WARNING:", "WARN:", "Error:", "ERROR:", "INFO:", "Info:"})
      if (starts_with(text, head)) {
        warns = head[0] != 'E';
        text = trim(std::string_view(text).substr(head.size()));
        break;
      }
    issue.certain = !warns;
    bool race = starts_with(text, "Race reported between"), hazard = has(text, " hazard detected at ");
    if (race || hazard) issue.kind = SanitizerIssue::Kind::hazard;
    else if (starts_with(text, "Uninitialized ") && has(text, " read")) issue.kind = SanitizerIssue::Kind::uninitialised;
    else if (!opens_access(text)) return false;
    close();
    if (race) {
      size_t at = text.find(" access at ");
      issue.what = shown(text.substr(0, std::min(at, text.size())).substr(0, kMostName));
      if (at != text.npos) issue.at = parse_code_place(std::string_view(text).substr(at + 11));
      issue.count = 0;
    } else {
      issue.what = shown(text.substr(0, kMostName));
      while (!issue.what.empty() && (issue.what.back() == ':' || issue.what.back() == ' ')) issue.what.pop_back();
    }
    now_ = std::move(issue);
    open_ = true;
    return true;
  }
  static bool opens_access(const std::string& text) {
    constexpr std::array kHeads{"Invalid __", "Misaligned ", "Warp ", "Lane ", "Device Illegal", "Device Hardware", "Stack overflow", "Malloc/Free error"};
    return std::any_of(kHeads.begin(), kHeads.end(), [&](const char* h) { return starts_with(text, h); });
  }

  // A further line of the report.
  void add(const std::string& line) {
    if (starts_with(line, "at ")) {
      if (now_.at.kernel.empty()) now_.at = parse_code_place(std::string_view(line).substr(3));
    } else if (starts_with(line, "by thread")) {
      now_.thread = triple_after(line, "by thread ");
      now_.block = triple_after(line, "in block ");
    } else if (starts_with(line, "Address ") || starts_with(line, "Access ") || starts_with(line, "and is ")) {
      if (now_.detail.size() < kMostDetail) now_.detail += (now_.detail.empty() ? "" : " ") + shown(line, kMostDetail);
    } else if (size_t at = line.find(" access at "); starts_with(line, "and ") && at != line.npos) {
      take_other(std::string_view(line).substr(4, at - 4), std::string_view(line).substr(at + 11));
    } else if (size_t place = line.find(" at "); (starts_with(line, "Write Thread") || starts_with(line, "Read Thread")) && place != line.npos) {
      CodePlace p = parse_code_place(std::string_view(line).substr(place + 4));
      (now_.at.kernel.empty() ? now_.at : now_.other) = std::move(p);
    }
  }
  void take_other(std::string_view access, std::string_view where) {
    size_t bracket = where.rfind('[');
    if (bracket != where.npos) {
      size_t at = bracket + 1;
      now_.count += std::max<int64_t>(0, number_at(where, at));
    }
    if (!now_.other.kernel.empty() || now_.other.line) return;
    now_.other = parse_code_place(where);
    now_.what += " and " + shown(access.substr(0, 40));
  }

  void close() {
    if (!open_) return;
    open_ = false;
    now_.count = std::max<int64_t>(now_.count, 1);
    for (SanitizerIssue& i : log_.issues)
      if (i.what == now_.what && i.at.kernel == now_.at.kernel && i.at.line == now_.at.line && i.other.line == now_.other.line && i.certain == now_.certain) {
        i.count += now_.count;
        return;
      }
    if (log_.issues.size() < kMostIssues) log_.issues.push_back(std::move(now_));
  }

  SanitizerLog log_;
  SanitizerIssue now_;
  bool open_ = false;
};

}  // namespace

CodePlace parse_code_place(std::string_view text) {
  std::string whole = trim(text.substr(0, kMostLine));
  if (size_t bracket = whole.rfind(" ["); bracket != whole.npos && has(whole.substr(bracket), "hazard")) whole.resize(bracket);
  std::string_view view = whole;
  size_t in = view.find(" in ");
  std::string_view left = view.substr(0, std::min(in, view.size()));
  if (starts_with(left, "0x")) return in == view.npos ? CodePlace{} : older_place(view.substr(in + 4));
  CodePlace out;
  // An argument list may hold anything; the file stands behind the offset.
  size_t plus = view.rfind("+0x");
  if (plus != view.npos) in = view.find(" in ", plus);
  out.kernel = name_of(view.substr(0, std::min(in, view.size())));
  if (in == view.npos) return out;
  std::string_view file = view.substr(in + 4);
  out.line = line_of(view.substr(in + 4), file);
  out.file = file_of(file);
  return out;
}

SanitizerLog parse_sanitizer_log(std::string_view text) { return Reader().read(text); }

}  // namespace kbx::gpu
