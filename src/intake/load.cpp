// Reading files and folders; everything else is pure and next door.
#include "intake/load.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/fd.h"
#include "base/text.h"
#include "intake/candidate_maker.h"
#include "intake/jsonl.h"
#include "intake/source_file.h"

namespace kbx::intake {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFileBytes = size_t(16) << 20;  // of one reply or source file
constexpr size_t kChunk = size_t(1) << 16;

std::string extension(const fs::path& path) {
  std::string out = path.extension().string();
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

// Documents that lie beside candidates.
bool is_document(const fs::path& path) {
  std::string stem = path.stem().string();
  std::transform(stem.begin(), stem.end(), stem.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  for (std::string_view name : {"README", "LICENSE", "CHANGELOG", "NOTES", "CONTRIBUTING", "REQUIREMENTS"})
    if (stem == name) return true;
  return stem == "__INIT__";
}

class Loader {
 public:
  Loader(const LoadOptions& options, const LoadSink& sink) : options_(options), sink_(sink), maker_(options) {}

  void path(const std::string& given) {
    if (given == "-") return standard_input();
    std::error_code error;
    auto status = fs::status(given, error);
    if (!fs::exists(status)) return problem(given, 0, "no such file or folder");
    if (fs::is_directory(status)) return folder(given);
    file(given, fs::path(given).filename().string(), {});
  }

 private:
  void problem(const std::string& path, size_t line, std::string reason) {
    sink_.problem({path, line, std::move(reason)});
  }

  void folder(const std::string& root) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && it != end; it.increment(error)) {
      std::string name = it->path().filename().string();
      std::error_code ignored;
      if (name[0] == '.' || name == "__pycache__") {
        it.disable_recursion_pending();
      } else if (it->is_regular_file(ignored)) {
        files.push_back(it->path());
      }
    }
    if (error) problem(root, 0, "cannot be read: " + error.message());
    std::sort(files.begin(), files.end());
    bool any = false;
    for (const auto& path : files) {
      std::string kind = extension(path);
      if (is_document(path) || (kind != ".py" && kind != ".md" && kind != ".txt" && kind != ".jsonl")) continue;
      any = true;
      file(path.string(), path.lexically_relative(root).string(), root);
    }
    if (!any && !error) problem(root, 0, "the folder holds no .py, .md, .txt or .jsonl file");
  }

  // `root` is the folder it was found in; empty for a file named by itself.
  void file(const std::string& path, std::string id, const std::string& root) {
    std::string kind = extension(path);
    if (kind != ".py" && kind != ".md" && kind != ".txt" && kind != ".jsonl")
      return problem(path, 0, "not a candidate: .py, .md, .txt and .jsonl files are read");
    Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return problem(path, 0, std::string("cannot be opened: ") + std::strerror(errno));
    if (kind == ".jsonl") return json_lines(fd.get(), {}, path, id);
    std::string text;
    if (!read_all(fd.get(), path, text)) return;
    single(std::move(text), path, std::move(id), root, kind == ".py");
  }

  bool read_all(int fd, const std::string& path, std::string& text) {
    std::string chunk(kChunk, '\0');
    for (;;) {
      ssize_t n = ::read(fd, chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return problem(path, 0, std::string("cannot be read: ") + std::strerror(errno)), false;
      if (n == 0) return true;
      text.append(chunk, 0, size_t(n));
      if (text.size() > kMostFileBytes)
        return problem(path, 0, "larger than " + std::to_string(kMostFileBytes >> 20) + " MiB"), false;
    }
  }

  void single(std::string text, const std::string& path, std::string id, const std::string& root, bool is_source) {
    SourceMark mark = read_mark(text);
    std::string task = task_of(path, mark);
    if (task.empty()) return;
    if (mark.text_begin > 0) text.erase(0, mark.text_begin);
    sink_.candidate(maker_.make({.id = std::move(id),
                                 .fallback_id = path,
                                 .group = root,
                                 .task = std::move(task),
                                 .entry = mark.entry,
                                 .sample = std::nullopt,
                                 .text = std::move(text),
                                 .is_source = is_source}));
  }

  // What is said wins over what is guessed from names; empty after reporting the problem.
  std::string task_of(const std::string& path, const SourceMark& mark) {
    if (!options_.task.empty()) return options_.task;
    if (!mark.task.empty()) return mark.task;
    fs::path full = fs::path(path).lexically_normal();
    std::string stem = full.stem().string(), parent = full.parent_path().filename().string();
    for (const auto& name : {stem, parent})
      if (const auto* known = options_.tasks->from_stem(name)) return known->name;
    auto match = options_.tasks->resolve(stem);
    problem(path, 0,
            "for which task? Neither the file's name nor its folder's is a task (" + match.message +
                "); say it with --task NAME or a first line `# kbx-task: NAME`");
    return {};
  }

  void json_lines(int fd, std::string head, const std::string& path, const std::string& id) {
    JsonlReader reader({.row = [&](JsonlRow row) { json_row(std::move(row), path, id); },
                        .problem = [&](LineProblem p) { problem(path, p.line, std::move(p.reason)); }});
    reader.feed(head);
    std::string chunk(kChunk, '\0');
    for (;;) {
      ssize_t n = ::read(fd, chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) problem(path, 0, std::string("cannot be read: ") + std::strerror(errno));
      if (n <= 0) break;
      reader.feed(std::string_view(chunk).substr(0, size_t(n)));
    }
    reader.finish();
  }

  void json_row(JsonlRow row, const std::string& path, const std::string& id) {
    if (row.task.empty() && options_.task.empty())
      return problem(path, row.line, "neither \"file\" nor \"task\" says which task it is for (or use --task NAME)");
    std::string line = ":" + std::to_string(row.line);
    sink_.candidate(maker_.make({.id = row.id.empty() ? id + line : row.id,
                                 .fallback_id = row.id.empty() ? path + line : id + line,
                                 .group = path,
                                 .task = std::move(row.task),
                                 .entry = std::move(row.entry),
                                 .sample = row.sample,
                                 .text = std::move(row.reply)}));
  }

  // JSON lines, or one reply. What has come so far decides as soon as there is a whole line.
  void standard_input() {
    std::string head, chunk(kChunk, '\0');
    bool end = false;
    auto has_line = [&] {
      return head.find('\n', std::min(head.find_first_not_of(" \t\r\n"), head.size())) != head.npos;
    };
    while (!end && !has_line() && head.size() <= JsonlReader::kMostLineBytes) {
      ssize_t n = ::read(options_.stdin_fd, chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return problem("-", 0, std::string("cannot be read: ") + std::strerror(errno));
      end = n == 0;
      head.append(chunk, 0, size_t(n));
    }
    if (looks_like_jsonl(head)) return json_lines(options_.stdin_fd, std::move(head), "-", "stdin");
    if (!read_all(options_.stdin_fd, "-", head)) return;
    if (trim(head).empty()) return problem("-", 0, "standard input is empty");
    single(std::move(head), "-", "stdin", {}, false);
  }

  const LoadOptions& options_;
  const LoadSink& sink_;
  CandidateMaker maker_;
};

}  // namespace

std::string LoadProblem::text() const { return path + (line ? ":" + std::to_string(line) : "") + ": " + reason; }

void load(const std::vector<std::string>& paths, const LoadOptions& options, const LoadSink& sink) {
  Loader loader(options, sink);
  for (const auto& path : paths) loader.path(path);
}

Loaded load_all(const std::vector<std::string>& paths, const LoadOptions& options) {
  Loaded out;
  load(paths, options,
       {.candidate = [&](Candidate c) { out.candidates.push_back(std::move(c)); },
        .problem = [&](LoadProblem p) { out.problems.push_back(std::move(p)); }});
  return out;
}

}  // namespace kbx::intake
