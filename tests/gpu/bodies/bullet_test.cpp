#include "tests/gpu/bodies/bodies_test.hpp"

#include <glm/geometric.hpp>

#include <cmath>
#include <memory>

#if __has_include(<btBulletDynamicsCommon.h>)
#define TUFF_HAS_BULLET 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <btBulletDynamicsCommon.h>
#pragma GCC diagnostic pop
#endif

/// The same piles by Bullet: ours overlap no more, and drift no more.
namespace tuff {
namespace {

using passes::BodyList;
using passes::SolverMethod;
using testing_gpu::BodyState;

/// How well a pile stands: the farthest that a body has moved sideways, and how far the pile has
/// sunk.
struct Standing {
    double drift = 0.0;
    double sunk = 0.0;
    double fastest = 0.0;
};

class BodiesBullet : public testing_gpu::BodiesTest {};

#ifdef TUFF_HAS_BULLET

Standing by_bullet(const BodyList& list, float dt, int steps) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, -9.81f, 0));
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        const auto kind = static_cast<passes::ShapeKind>(list.shapes[i].kind);
        const glm::vec3 size = list.shapes[i].size;
        if (kind == passes::ShapeKind::plane)
            shapes.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0.0f));
        else if (kind == passes::ShapeKind::box)
            shapes.push_back(std::make_unique<btBoxShape>(btVector3(size.x, size.y, size.z)));
        else
            shapes.push_back(std::make_unique<btSphereShape>(size.x));
        const float inverse = list.places[i].w;
        const float mass = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        btVector3 inertia(0, 0, 0);
        if (mass > 0.0f) shapes.back()->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes.back().get(), inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(
            btVector3(list.places[i].x, list.places[i].y, list.places[i].z));
        info.m_friction = 0.7071f; // products of both
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    }
    for (int i = 0; i < steps; ++i)
        world.stepSimulation(dt, 0);
    Standing standing;
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        if (list.places[i].w == 0.0f) continue;
        const btVector3 at = bodies[i]->getWorldTransform().getOrigin();
        const glm::dvec3 moved = glm::dvec3(at.x(), at.y(), at.z()) - glm::dvec3(list.places[i]);
        standing.drift = std::max(standing.drift, std::hypot(moved.x, moved.z));
        standing.sunk = std::max(standing.sunk, -moved.y);
        standing.fastest =
            std::max(standing.fastest, double(bodies[i]->getLinearVelocity().length()));
    }
    for (auto& body : bodies)
        world.removeRigidBody(body.get());
    return standing;
}

Standing of(const BodyList& list, const BodyState& state) {
    Standing standing;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list.places[i].w == 0.0f) continue;
        const glm::dvec3 moved = glm::dvec3(state.places[i]) - glm::dvec3(list.places[i]);
        standing.drift = std::max(standing.drift, std::hypot(moved.x, moved.z));
        standing.sunk = std::max(standing.sunk, -moved.y);
        standing.fastest =
            std::max(standing.fastest, double(glm::length(state.motions[i].velocity)));
    }
    return standing;
}

// Judge: a tower of five and a pyramid of four rows, two seconds.
TEST_F(BodiesBullet, PilesStandAsWellAsBullets) {
    for (const bool pyramid : {false, true}) {
        BodyList list;
        list.plane({});
        if (pyramid)
            for (int row = 0; row < 4; ++row)
                for (int i = 0; i + row < 4; ++i)
                    list.box(glm::vec3(0.5f), {.place = {1.05f * (static_cast<float>(i) +
                                                                  0.5f * static_cast<float>(row)),
                                                         0.5f + static_cast<float>(row), 0.0f}});
        else
            for (int i = 0; i < 5; ++i)
                list.box(glm::vec3(0.5f), {.place = {0.0f, 0.5f + static_cast<float>(i), 0.0f}});
        Simulate pass = few(30);
        pass.dt = 1.0f / 120.0f;
        const Standing ours = of(list, simulated(list, pass, 8));
        const Standing theirs = by_bullet(list, pass.dt, 240);
        // Bullet keeps a margin about shapes, which may lift piles instead.
        EXPECT_LT(ours.drift, theirs.drift + 0.01) << pyramid;
        EXPECT_LT(ours.sunk, std::max(theirs.sunk, 0.0) + 0.01) << pyramid;
        EXPECT_LT(ours.fastest, theirs.fastest + 0.05) << pyramid;
    }
}

#endif

} // namespace
} // namespace tuff
