#include "scene/scene_thread.hpp"

#include "model/playback.hpp"
#include "scene/scene_session.hpp"

#include <fmt/format.h>
#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <optional>
#include <utility>

namespace tuff::viewer {

using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kWatchPeriod = std::chrono::milliseconds(200);
/// How long executions are counted for the rate that is shown.
constexpr double kRateSeconds = 1.0;

/// The interface comes first where both want a processor: what this thread starts, as a software
/// device's threads, takes after it.
void step_back() {
#ifdef __linux__
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
#endif
}

bool is_lost(const Diagnostics& problems) {
    return std::ranges::any_of(problems,
                               [](const Diagnostic& d) { return d.code == "gpu/device-lost"; });
}

/// Executions a second over the last second or so.
class Rate {
  public:
    void count(Clock::time_point now) {
        times_.push_back(now);
        trim(now);
    }
    double value(Clock::time_point now) {
        trim(now);
        return times_.size() < 2
                   ? 0.0
                   : static_cast<double>(times_.size() - 1) /
                         std::chrono::duration<double>(times_.back() - times_.front()).count();
    }

  private:
    void trim(Clock::time_point now) {
        while (times_.size() > 2 &&
               std::chrono::duration<double>(now - times_.front()).count() > kRateSeconds)
            times_.pop_front();
    }
    std::deque<Clock::time_point> times_;
};

} // namespace

/// What the thread does. Owns everything that only the thread touches.
class SceneThread::Loop {
  public:
    explicit Loop(SceneThread& shared)
        : shared_(shared), registry_(shared.options_.modules),
          playback_(shared.options_.frames_per_second) {}

    void run() {
        while (wait_for_work()) {
            take_film(); // first: what was posted before its end belongs to it
            take_transport();
            save_jpegs();
            end_film_in_time();
            look_at_files();
            if (taken_ != handled_) follow_request();
            if (runs() && playback_.due(is_still())) run_frame();
            publish(SceneState::idle);
        }
        if (film_ && recorded_) (void)film_->finish();
    }

  private:
    bool runs() const { return session_ && session_->has_graph() && !lost_; }
    bool is_still() const { return !session_ || session_->still(); }

    /// Sleeps until something is to be done; false: the end.
    bool wait_for_work() {
        std::unique_lock lock(shared_.mutex_);
        const bool running = runs() && playback_.due(is_still());
        const Clock::time_point next = running && seeking_ ? Clock::now()
                                       : running
                                           ? next_frame_
                                           : std::max(Clock::now(), last_look_ + kWatchPeriod);
        shared_.wake_.wait_until(lock, next, [&] {
            return shared_.stopping_ || shared_.posted_ != taken_ || !shared_.transport_.empty() ||
                   shared_.seek_ || shared_.new_film_ || shared_.stop_film_ ||
                   !shared_.jpegs_.empty();
        });
        if (shared_.stopping_) return false;
        request_ = shared_.request_;
        taken_ = shared_.posted_;
        return true;
    }

    void take_transport() {
        std::deque<Transport> commands;
        std::optional<std::int64_t> wanted;
        {
            const std::lock_guard lock(shared_.mutex_);
            commands.swap(shared_.transport_);
            wanted = std::exchange(shared_.seek_, std::nullopt);
        }
        for (const Transport command : commands) {
            if (command == Transport::pause) playback_.set_paused(true);
            if (command == Transport::play) playback_.set_paused(false);
            if (command == Transport::step) playback_.step();
            if (command == Transport::restart) restart();
        }
        if (wanted) seek(*wanted);
        seeking_ = seeking_ && playback_.steps() > 0;
    }

    void seek(std::int64_t frame) {
        if (!runs()) return;
        const bool again = playback_.seek(frame, !session_->has_history());
        if (again) note(session_->reset_history());
        seeking_ = true;
    }

    void save_jpegs() {
        std::deque<JpegOrder> orders;
        {
            const std::lock_guard lock(shared_.mutex_);
            orders.swap(shared_.jpegs_);
        }
        for (const JpegOrder& order : orders) {
            const bool runs_still = session_ && !lost_;
            const Result<void> done =
                runs_still ? session_->save_jpeg(order) : save_image(order.file, order.picture);
            saved_file_ = done ? fmt::format("wrote {}", order.file.string())
                               : fmt::format("{}: {}", done.error().front().code,
                                             done.error().front().message);
            ++saved_;
        }
    }

    void take_film() {
        const std::lock_guard lock(shared_.mutex_);
        if (std::exchange(shared_.stop_film_, false)) film_ends_ = true;
        if (!shared_.new_film_) return;
        film_ = std::move(shared_.new_film_);
        film_file_ = shared_.film_file_;
        film_ends_ = false;
        recorded_ = 0;
    }

    /// The steps that were asked for before its end are in the film.
    void end_film_in_time() {
        if (!film_ends_ || (runs() && playback_.steps() > 0)) return;
        film_ends_ = false;
        if (film_) end_film(recorded_ ? film_->finish() : Result<void>{});
    }

    void end_film(const Result<void>& finished) {
        film_.reset();
        if (!finished)
            film_told_ = fmt::format("{}: {}", finished.error().front().code,
                                     finished.error().front().message);
        else
            film_told_ = recorded_ ? fmt::format("wrote {}", film_file_.string())
                                   : "the film had no pictures";
    }

    void add_to_film() {
        const auto shown = session_->shown();
        if (!film_ || !shown || shown->image.empty()) return;
        if (auto added = film_->add(shown->image); !added) return end_film(added);
        ++recorded_;
    }

    void restart() {
        playback_.restart();
        if (session_ && lost_) session_.reset();
        if (!session_)
            handled_ = 0; // opens the device again
        else
            note(session_->reset_history());
    }

    void look_at_files() {
        const Clock::time_point now = Clock::now();
        if (!session_ || now - last_look_ < kWatchPeriod) return;
        last_look_ = now;
        if (!session_->finds_changed_files()) return;
        publish(SceneState::building);
        ++reloads_;
        problems_.clear();
        note_files(session_->reload(request_));
        if (file_problems_.empty()) update();
    }

    /// Mistakes in files stay until the files change, whatever else is asked for meanwhile.
    void note_files(Result<void> outcome) {
        file_problems_ = outcome ? Diagnostics{} : std::move(outcome.error());
    }

    void follow_request() {
        problems_.clear();
        if (!session_) {
            publish(SceneState::building);
            auto opened = SceneSession::open(shared_.options_, registry_);
            lost_ = false;
            handled_ = taken_;
            if (!opened) {
                problems_ = std::move(opened.error());
                return;
            }
            session_.emplace(std::move(*opened));
            opened_ = 0;
        }
        const bool other = opened_ != request_.opened;
        if (other) {
            publish(SceneState::building);
            opened_ = request_.opened;
            playback_.rewind();
            note_files(session_->load(request_));
        }
        handled_ = taken_;
        if (!other || file_problems_.empty()) update();
    }

    /// Builds the graph of the frame that is shown, and runs it once more where it is still or the
    /// scene is paused.
    void update() {
        publish(SceneState::building);
        const std::uint32_t before = session_->compilations();
        note(session_->update(request_, playback_.current()));
        if (!problems_.empty()) return;
        const bool recompiled = session_->compilations() != before;
        if (recompiled && session_->has_history() && !session_->goes_on()) playback_.rewind();
        built_ = playback_.current();
        if (is_still() || (playback_.paused() && (recompiled || !session_->has_history()))) {
            if (playback_.begun())
                execute_again(*built_);
            else
                execute(playback_.advance());
            // Again with larger pools, for nothing else will ask for it.
            while (session_->outgrown() && problems_.empty()) {
                note(session_->update(request_, *built_));
                if (problems_.empty()) execute_again(*built_);
            }
        } else if (playback_.paused())
            note(session_->show(request_, *built_));
    }

    void run_frame() {
        const Clock::time_point now = Clock::now();
        const auto period = std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(playback_.seconds_per_frame()));
        next_frame_ = std::max(next_frame_ + period, now - period);
        const FrameTime frame = playback_.advance();
        // Where that fails the frame is that of the last parameters which were good.
        if (!built_ || built_->frame != frame.frame || session_->outgrown())
            note(session_->update(request_, frame));
        built_ = frame;
        execute(frame);
    }

    void execute(const FrameTime& frame) {
        publish(SceneState::running);
        note(session_->run(request_, frame));
        count_execution();
    }

    /// In place of the last execution: what it leaves for the next frame is not left twice.
    void execute_again(const FrameTime& frame) {
        publish(SceneState::running);
        note(session_->run_again(request_, frame));
        count_execution();
    }

    void count_execution() {
        add_to_film();
        tell_of_capture();
        ++executions_;
        rate_.count(Clock::now());
    }

    void tell_of_capture() {
        const std::filesystem::path file = session_->take_captured();
        if (file.empty()) return;
        saved_file_ = fmt::format("wrote {}", file.string());
        ++saved_;
    }

    void note(Result<void> outcome) {
        if (outcome) return;
        problems_ = std::move(outcome.error());
        lost_ = lost_ || is_lost(problems_);
    }

    void publish(SceneState state) {
        auto report = std::make_shared<SceneReport>();
        report->state = state;
        report->paused = playback_.paused();
        report->still = is_still();
        report->problems = file_problems_;
        report->problems.insert(report->problems.end(), problems_.begin(), problems_.end());
        if (session_) {
            report->warnings = session_->warnings();
            report->panel = session_->panel();
            report->values = session_->values();
            report->structure = session_->structure();
            report->has_history = session_->has_history();
            report->shown = session_->shown();
            report->histograms = session_->histograms();
            if (state == SceneState::idle && !lost_)
                timings_ = std::make_shared<const ExecutionTimings>(session_->timings());
            report->timings = timings_;
            report->memory = session_->memory();
            report->device = session_->device().caps();
            report->compilations = session_->compilations();
        }
        report->frame = playback_.current().frame;
        report->seconds_per_frame = playback_.seconds_per_frame();
        report->executions = executions_;
        report->reloads = reloads_;
        report->recording = film_ != nullptr;
        report->recorded = recorded_;
        report->finished_film = film_told_;
        report->saved = saved_;
        report->saved_file = saved_file_;
        report->frames_per_second = rate_.value(Clock::now());
        const std::lock_guard lock(shared_.mutex_);
        // The interface is drawn where there is news.
        if (shared_.report_ && is_same(*shared_.report_, *report)) return;
        report->number = ++reports_;
        shared_.report_ = std::move(report);
    }

    SceneThread& shared_;
    const PassRegistry registry_;
    Playback playback_;
    std::optional<SceneSession> session_;
    SceneRequest request_;
    std::uint64_t taken_ = 0, handled_ = 0, opened_ = 0;
    Diagnostics problems_;      ///< of the last request
    Diagnostics file_problems_; ///< of what stands on the disk
    bool lost_ = false;
    bool seeking_ = false; ///< as fast as the device can, to the frame that was asked for
    std::optional<FrameTime> built_;
    Clock::time_point next_frame_{}, last_look_{};
    Rate rate_;
    std::unique_ptr<Film> film_;
    std::filesystem::path film_file_;
    std::size_t recorded_ = 0;
    bool film_ends_ = false;
    std::string film_told_;
    std::uint64_t saved_ = 0;
    std::string saved_file_;
    std::shared_ptr<const ExecutionTimings> timings_;
    std::uint64_t executions_ = 0, reports_ = 0;
    std::uint32_t reloads_ = 0;
};

SceneThread::SceneThread(SceneOptions options) : options_(std::move(options)) {
    thread_ = std::thread([this] {
        step_back();
        { Loop(*this).run(); } // the device ends before the thread tells so
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
        ended_.notify_all();
    });
}

SceneThread::~SceneThread() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void SceneThread::post(SceneRequest request) {
    const std::lock_guard lock(mutex_);
    request_ = std::move(request);
    ++posted_;
    wake_.notify_all();
}

void SceneThread::post(Transport transport) {
    const std::lock_guard lock(mutex_);
    transport_.push_back(transport);
    wake_.notify_all();
}

void SceneThread::seek(std::int64_t frame) {
    const std::lock_guard lock(mutex_);
    seek_ = frame;
    wake_.notify_all();
}

void SceneThread::record(std::unique_ptr<Film> film, std::filesystem::path file) {
    const std::lock_guard lock(mutex_);
    new_film_ = std::move(film);
    film_file_ = std::move(file);
    wake_.notify_all();
}

void SceneThread::save_jpeg(JpegOrder order) {
    const std::lock_guard lock(mutex_);
    jpegs_.push_back(std::move(order));
    wake_.notify_all();
}

void SceneThread::stop_recording() {
    const std::lock_guard lock(mutex_);
    stop_film_ = true;
    wake_.notify_all();
}

std::shared_ptr<const SceneReport> SceneThread::report() const {
    const std::lock_guard lock(mutex_);
    return report_;
}

bool SceneThread::stop(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
    if (!ended_.wait_for(lock, timeout, [&] { return has_ended_; })) return false;
    lock.unlock();
    if (thread_.joinable()) thread_.join();
    return true;
}

} // namespace tuff::viewer
