#include "apps/shared/interrupt.hpp"

#include <csignal>

namespace tuff::cli {
namespace {

// A signal handler has no other way to be heard.
volatile std::sig_atomic_t interrupt_noted = 0;

void note_interrupt(int signal) {
    interrupt_noted = 1;
    std::signal(signal, SIG_DFL);
}

} // namespace

InterruptGuard::InterruptGuard() {
    interrupt_noted = 0;
    std::signal(SIGINT, note_interrupt);
    std::signal(SIGTERM, note_interrupt);
}

InterruptGuard::~InterruptGuard() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() const {
    return interrupt_noted != 0;
}

} // namespace tuff::cli
