#pragma once

#include <tuff/diagnostic.hpp>

// C alone: the bindings for C++ that Open MPI 4 still has are of no use.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <string>
#include <string_view>

namespace tuff::mpi {

/// The diagnostic of a call that MPI says has failed.
inline Diagnostic failed_call(std::string_view call, int code) {
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    return {.code = "mpi/failed",
            .severity = Severity::error,
            .message =
                std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)),
            .where = {},
            .hint = "what the launcher and MPI print may tell more"};
}

/// Success, or the diagnostic of it.
inline Result<void> check(std::string_view call, int code) {
    if (code == MPI_SUCCESS) return {};
    return fail(failed_call(call, code));
}

} // namespace tuff::mpi
