"""Tests of tools/check_house.py: each rule fires on a small tree that breaks it, and not on its look-alikes."""

import importlib.util
import pathlib
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_house.py"
spec = importlib.util.spec_from_file_location("check_house", PATH)
house = importlib.util.module_from_spec(spec)
spec.loader.exec_module(house)


def found(files):
    """["path:line: what"] for a tree made of `files`."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return ["%s:%d: %s" % row for row in house.violations(root)]


class Sizes(unittest.TestCase):
    def test_a_long_function_is_found_where_it_begins(self):
        body = "// A file.\nnamespace a {\nint f(int x) {\n" + "  x++;\n" * 60 + "  return x;\n}\n}  // namespace a\n"
        self.assertEqual(found({"src/judge/a.cpp": body}), ["src/judge/a.cpp:3: a function of 63 lines, more than 60"])

    def test_a_long_class_of_short_functions_is_none(self):
        body = "// A file.\nstruct S {\n" + "  int f() const {\n    return 1;\n  }\n" * 40 + "};\n"
        self.assertEqual(found({"src/judge/a.cpp": body}), [])

    def test_braces_in_strings_and_comments_and_macros_do_not_count(self):
        body = '// A file.\n#define M(x) \\\n  void f() { \\\n  x }\nint f() {\n  return g("{{{", \'{\');  // {\n}\n' + "int k;\n" * 80
        self.assertEqual(found({"src/judge/a.cpp": body}), [])

    def test_headers_and_files_have_their_limits(self):
        out = found({"src/judge/a.h": "// A file.\n" + "\n" * 150, "src/judge/b.cpp": "// B.\n" + "\n" * 399})
        self.assertEqual(out, ["src/judge/a.h:1: 151 lines, more than 150"])

    def test_a_long_python_function_is_found(self):
        out = found({"tools/a.py": '"""A."""\ndef f(x):\n' + "    x += 1\n" * 60})
        self.assertEqual(out, ["tools/a.py:2: a function of 61 lines, more than 60"])


class Manners(unittest.TestCase):
    def one(self, path, line):
        return [row.split(": ", 1)[1] for row in found({path: "// A file.\n" + line + "\n"})]

    def test_first_line(self):
        self.assertTrue(found({"src/judge/a.cpp": "int x;\n"}))
        self.assertEqual(found({"src/judge/a.cpp": '#include "judge/a.h"\n', "src/judge/a.h": "// A.\n"}), [])

    def test_throw(self):
        self.assertTrue(self.one("src/judge/a.cpp", "void f() { throw 1; }"))
        self.assertEqual(self.one("src/judge/a.cpp", "// nobody may throw here"), [])

    def test_printing_belongs_to_cli(self):
        self.assertTrue(self.one("src/judge/a.cpp", 'void f() { std::printf("x"); }'))
        self.assertEqual(self.one("src/cli/a.cpp", 'void f() { std::printf("x"); }'), [])
        self.assertEqual(self.one("src/judge/a.cpp", "void f() { std::snprintf(b, 3, s); }"), [])

    def test_shared_ownership(self):
        self.assertTrue(self.one("src/judge/a.cpp", "std::shared_ptr<int> p;"))
        self.assertEqual(self.one("src/model/value.cpp", "std::shared_ptr<int> p;"), [])

    def test_mutable_statics(self):
        self.assertTrue(self.one("src/judge/a.cpp", "  static int calls = 0;"))
        self.assertEqual(self.one("src/judge/a.cpp", "  static const int kCalls = 0;"), [])
        self.assertEqual(self.one("src/judge/a.cpp", "  static double number(const Json& j);"), [])

    def test_pure_rooms(self):
        self.assertTrue(self.one("src/judge/a.cpp", 'auto x = std::getenv("X");'))
        self.assertTrue(self.one("src/judge/a.cpp", "#include <fstream>"))
        self.assertEqual(self.one("src/cli/a.cpp", 'auto x = std::getenv("X");'), [])


class Words(unittest.TestCase):
    def test_machine_paths_and_hosts(self):
        self.assertTrue(found({"docs/a.md": "look at " + "/wor" + "k/main\n"}))
        self.assertEqual(found({"docs/a.md": "src/work/er and a session of the process\n"}), [])

    def test_data_outside_only_in_tests_that_say_so(self):
        self.assertTrue(found({"docs/a.md": "../" + "shared/data\n"}))
        self.assertEqual(found({"tests/unit/a_test.cpp": '// A.\nauto p = getenv("KBX_SHARED"); // or ../' + "shared\n"}), [])


class Documents(unittest.TestCase):
    HEADER = "// V.\nenum class Verdict : char {\n  bad,  // worse\n  good\n};\n"

    def test_the_table_of_verdicts_is_the_enum_in_its_order(self):
        right = "| `bad` | x |\n| `good` | y |\n"
        self.assertEqual(found({"src/model/verdict.h": self.HEADER, "docs/verdicts.md": right}), [])
        wrong = "| `good` | y |\n| `bad` | x |\n"
        self.assertEqual(len(found({"src/model/verdict.h": self.HEADER, "docs/verdicts.md": wrong})), 1)
        self.assertEqual(len(found({"src/model/verdict.h": self.HEADER, "docs/verdicts.md": "| `bad` | x |\n"})), 2)

    def test_a_lint_rule_needs_a_fixture_and_a_row(self):
        out = found({"src/lint/rules/foo.cpp": "// Foo.\nconstinit const Rule foo{};\n"})
        self.assertEqual(len(out), 2)


if __name__ == "__main__":
    unittest.main()
