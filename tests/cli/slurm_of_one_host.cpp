#include "slurm_of_one_host.hpp"

#include "run_tuff.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <ranges>
#include <thread>

namespace tuff::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Where a daemon is: folders of root's are on few users' PATH.
std::string daemon_path(const std::string& name) {
    for (const char* folder : {"/usr/sbin/", "/usr/local/sbin/", "/usr/bin/"})
        if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
    return {};
}

/// Ports that nothing listens on.
std::array<int, 2> free_ports() {
    std::array<int, 2> ports{};
    std::array<int, 2> sockets{};
    for (std::size_t i = 0; i < ports.size(); ++i) {
        sockets[i] = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        if (bind(sockets[i], any, size) == 0 && getsockname(sockets[i], any, &size) == 0)
            ports[i] = ntohs(address.sin_port);
    }
    for (const int opened : sockets)
        close(opened);
    return ports;
}

std::string host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    const std::string whole = name.data();
    return whole.substr(0, whole.find('.'));
}

std::string user_name() {
    const passwd* const user = getpwuid(getuid());
    return user ? user->pw_name : "root";
}

} // namespace

SlurmOfOneHost::SlurmOfOneHost(const fs::path& folder) : folder_(folder) {
    problem_ = start();
}

SlurmOfOneHost::~SlurmOfOneHost() {
    for (const pid_t daemon : daemons_ | std::views::reverse) {
        kill(daemon, SIGTERM);
        bool ended = false;
        for (int i = 0; i < 100 && !ended; ++i) {
            ended = waitpid(daemon, nullptr, WNOHANG) != 0;
            if (!ended) std::this_thread::sleep_for(50ms);
        }
        if (ended) continue;
        kill(daemon, SIGKILL);
        waitpid(daemon, nullptr, 0);
    }
}

std::string SlurmOfOneHost::start() {
    for (const char* program : {"munged", "slurmctld", "slurmd", "srun", "sbatch", "sinfo"})
        if (daemon_path(program).empty())
            return fmt::format("Slurm is not installed: no {}", program);
    fs::create_directories(folder_ / "state");
    fs::create_directories(folder_ / "spool");
    const auto path = [&](const char* name) { return (folder_ / name).string(); };
    {
        std::ofstream key(folder_ / "key", std::ios::binary);
        std::random_device random;
        for (int i = 0; i < 1024; ++i)
            key.put(static_cast<char>(random()));
    }
    fs::permissions(folder_ / "key", fs::perms::owner_read);
    const auto [control, node] = free_ports();
    std::ofstream(config()) << fmt::format(
        R"(ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
AuthType=auth/munge
AuthInfo=socket={folder}/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000
PartitionName=all Nodes=ALL Default=YES State=UP
)",
        fmt::arg("host", host_name()), fmt::arg("user", user_name()), fmt::arg("control", control),
        fmt::arg("node", node), fmt::arg("folder", folder_.string()));
    start({daemon_path("munged"), "--foreground", "--force", "--key-file=" + path("key"),
           "--socket=" + path("munge"), "--pid-file=" + path("munged.pid"),
           "--log-file=" + path("munged.log"), "--seed-file=" + path("munged.seed")});
    if (!answers({"munge", "-n", "-S", path("munge")}, "MUNGE:"))
        return "Slurm is installed, and munged does not start";
    const std::string file = config().string();
    start({daemon_path("slurmctld"), "-D", "-c", "-f", file, "-L", path("slurmctld.log")});
    start({daemon_path("slurmd"), "-D", "-c", "-f", file, "-L", path("slurmd.log")});
    if (!answers({"sinfo", "--noheader", "--format=%T"}, "idle"))
        return "Slurm is installed, and slurmctld and slurmd do not start";
    return {};
}

void SlurmOfOneHost::start(const std::vector<std::string>& words) {
    const std::string output = (folder_ / "daemons.txt").string();
    const std::string file = config().string();
    std::vector<std::string> copies = words;
    std::vector<char*> pointers;
    for (std::string& word : copies)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int opened = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        dup2(opened, STDOUT_FILENO);
        dup2(opened, STDERR_FILENO);
        setenv("SLURM_CONF", file.c_str(), 1);
        execv(pointers[0], pointers.data());
        _exit(127);
    }
    if (child > 0) daemons_.push_back(child);
}

bool SlurmOfOneHost::answers(const std::vector<std::string>& words, const std::string& text) const {
    for (int i = 0; i < 100; ++i) {
        const CommandResult result =
            run_program(words, folder_, {{"SLURM_CONF", config().string()}});
        if (result.exit_code == 0 && result.output.find(text) != std::string::npos) return true;
        std::this_thread::sleep_for(200ms);
    }
    return false;
}

} // namespace tuff::test
