# Reads what the test programs have written down on one device (kernel_log.hpp): each kernel that the
# device can run must have run in one of the tests.
#
# cmake -D LOGS=<folder> -D DEVICE=<name> -D RANKS=<on or off> -P check_kernels.cmake
#
# Without RANKS nothing has run several processes, which some kernels of mpi are for.
cmake_minimum_required(VERSION 3.25)

file(GLOB logs ${LOGS}/*.tsv)
if(DEFINED ENV{GTEST_FILTER} OR NOT logs)
    message("of those on ${DEVICE} not all tests have run: nothing to compare")
    return()
endif()

set(ran)
set(waits)
foreach(log IN LISTS logs)
    file(STRINGS ${log} lines)
    foreach(line IN LISTS lines)
        string(REGEX MATCH "^([^\t]+)\t([^\t]+)" found "${line}")
        set(kernel ${CMAKE_MATCH_1})
        if(CMAKE_MATCH_2 STREQUAL "ran")
            list(APPEND ran ${kernel})
        elseif(CMAKE_MATCH_2 STREQUAL "not run")
            list(APPEND waits ${kernel})
        endif()
    endforeach()
endforeach()
list(REMOVE_DUPLICATES ran)
list(REMOVE_DUPLICATES waits)
list(REMOVE_ITEM waits ${ran})
if(NOT RANKS)
    list(FILTER waits EXCLUDE REGEX "^mpi/")
endif()
list(LENGTH ran count)
message("${count} kernels ran on ${DEVICE}")
if(waits)
    list(JOIN waits "\n  " waits)
    message(FATAL_ERROR "no test on ${DEVICE} runs\n  ${waits}")
endif()
