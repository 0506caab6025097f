#include "model/input_queue.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tuff::viewer {
namespace {

constexpr ButtonChange kPress{0, true}, kRelease{0, false};

class InputQueueTest : public testing::Test {
  protected:
    void happen(std::initializer_list<InputQueue::Event> events) {
        for (const auto& event : events)
            queue.push(event);
    }
    void expect(float x, bool button) {
        const Input& seen = queue.next();
        EXPECT_EQ(seen.x, x);
        EXPECT_EQ(seen.buttons[0], button);
    }
    InputQueue queue;
};

TEST_F(InputQueueTest, shows_a_move_before_the_press_that_follows_it) {
    happen({PointerMove{5.0f, 0.0f}, kPress});
    expect(5.0f, false);
    expect(5.0f, true);
    EXPECT_TRUE(queue.empty());
}

TEST_F(InputQueueTest, shows_clicks_that_are_over_before_the_frame) {
    happen({kPress, kRelease, kPress, kRelease});
    for (const bool down : {true, false, true, false, false})
        expect(0.0f, down);
}

TEST_F(InputQueueTest, shows_a_whole_drag_in_four_frames) {
    happen({PointerMove{1.0f, 0.0f}, PointerMove{2.0f, 0.0f}, kPress, PointerMove{6.0f, 0.0f},
            PointerMove{9.0f, 0.0f}, kRelease, PointerMove{20.0f, 0.0f}});
    expect(2.0f, false);
    expect(2.0f, true);
    expect(9.0f, true);
    expect(9.0f, false);
    expect(20.0f, false);
}

TEST_F(InputQueueTest, lets_two_buttons_go_down_together) {
    happen({kPress, ButtonChange{1, true}});
    EXPECT_EQ(queue.next().buttons.to_ulong(), 3u);
}

TEST_F(InputQueueTest, shows_keys_that_are_up_again) {
    happen({KeyChange{257, true}, KeyChange{65, true}, KeyChange{257, false}});
    EXPECT_TRUE(queue.next().keys[257]);
    EXPECT_FALSE(queue.next().keys[257]);
    EXPECT_TRUE(queue.next().keys[65]);
}

TEST_F(InputQueueTest, leaves_out_what_it_has_no_room_for) {
    happen({ButtonChange{7, true}, KeyChange{600, true}});
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.next(), Input{});
}

} // namespace
} // namespace tuff::viewer
