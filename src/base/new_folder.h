// make_folder_beside(): a folder to fill before it takes the place of another.
#pragma once
#include <filesystem>

#include "base/result.h"

namespace kbx {

// Makes NAME.part, or NAME.part-2 and so on: never one that was there before, nor what a link of that name leads to. Folders
// above it are made too. A trailing slash of `folder` does not count.
Result<std::filesystem::path> make_folder_beside(const std::filesystem::path& folder);

}  // namespace kbx
