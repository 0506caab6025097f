#include "commands.hpp"
namespace tuff::cli {
void add_bundle_command(CLI::App&, Action&) {}
} // namespace tuff::cli
