// The dataset card: README.md with the YAML that `datasets.load_dataset` reads (configs, files, features), and for people what
// the data are, where they come from and what they cannot say.
#pragma once
#include <string>

#include "dataset/write.h"

namespace kbx::dataset {

enum class CardFor : unsigned char { parquet, jsonl_below, jsonl_alone };  // jsonl_below: of DIR/jsonl, beside it

std::string card(const report::Runs& runs, const Options& options, const Totals& totals, CardFor where);

}  // namespace kbx::dataset
