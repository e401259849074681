// What the published pipeline makes of a reply, byte for byte (its clear_code, then the cut at 146 '#'): for comparison
// with published numbers. Its oddities are the point; extract.h has the extractor that people want.
#pragma once
#include <string>
#include <string_view>

namespace kbx::intake {

// 1. Text behind the first "```python", wherever it stands ("```python3" leaves a 3); 2. of that, text before the first
// "```", so a reply whose fence has another tag gives the prose in front of it, and a docstring with a fence ends the
// code; 3. every "<|im_end|>" and "<|EOT|>" removed; 4. white space (Unicode's) stripped at both ends.
std::string upstream_clear_code(std::string_view reply);
// str.strip() of Python: Unicode white space, given UTF-8.
std::string_view python_strip(std::string_view text);

}  // namespace kbx::intake
