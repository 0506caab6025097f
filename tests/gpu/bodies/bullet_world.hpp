#pragma once

#include "tests/gpu/bodies/bodies_test.hpp"

#include <bit>
#include <cmath>
#include <memory>

#if __has_include(<btBulletDynamicsCommon.h>)
#define TUFF_HAS_BULLET 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <btBulletDynamicsCommon.h>
#pragma GCC diagnostic pop

namespace tuff::testing_gpu {

/// A list of bodies in Bullet: half-spaces, boxes and spheres, with ball joints and hinges.
class BulletWorld {
  public:
    explicit BulletWorld(const passes::BodyList& list) {
        world_.setGravity(btVector3(0, -9.81f, 0));
        for (std::uint32_t i = 0; i < list.size(); ++i)
            add(list, i);
        for (const passes::JointRecord& joint : list.joints)
            add(joint);
    }
    ~BulletWorld() {
        for (auto& joint : joints_)
            world_.removeConstraint(joint.get());
        for (auto& body : bodies_)
            world_.removeRigidBody(body.get());
    }
    BulletWorld(const BulletWorld&) = delete;
    BulletWorld& operator=(const BulletWorld&) = delete;

    void step(float dt, int steps) {
        for (int i = 0; i < steps; ++i)
            world_.stepSimulation(dt, 0);
    }
    /// Places, turns and velocities, and the deepest point of all contacts.
    BodyState state() {
        BodyState state;
        for (const auto& body : bodies_) {
            const btTransform at = body->getWorldTransform();
            const btQuaternion turn = at.getRotation();
            state.places.emplace_back(vector(at.getOrigin()), body->getInvMass());
            state.turns.emplace_back(turn.x(), turn.y(), turn.z(), turn.w());
            state.motions.push_back({.velocity = vector(body->getLinearVelocity()),
                                     .spin = vector(body->getAngularVelocity())});
        }
        float deepest = 0.0f;
        for (int m = 0; m < dispatcher_.getNumManifolds(); ++m) {
            const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(m);
            for (int k = 0; k < manifold->getNumContacts(); ++k)
                deepest = std::max(deepest, -manifold->getContactPoint(k).getDistance());
        }
        state.status.deepest = std::bit_cast<std::uint32_t>(deepest);
        return state;
    }

  private:
    static glm::vec3 vector(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
    static btVector3 vector(glm::vec3 v) { return {v.x, v.y, v.z}; }

    void add(const passes::BodyList& list, std::uint32_t i) {
        const auto kind = static_cast<passes::ShapeKind>(list.shapes[i].kind);
        const glm::vec3 size = list.shapes[i].size;
        if (kind == passes::ShapeKind::plane)
            shapes_.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0.0f));
        else if (kind == passes::ShapeKind::box)
            shapes_.push_back(std::make_unique<btBoxShape>(vector(size)));
        else
            shapes_.push_back(std::make_unique<btSphereShape>(size.x));
        const float inverse = list.places[i].w;
        const float mass = inverse > 0.0f ? 1.0f / inverse : 0.0f;
        btVector3 inertia(0, 0, 0);
        if (mass > 0.0f) shapes_.back()->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
        const glm::vec4 turn = list.turns[i];
        info.m_startWorldTransform.setRotation(btQuaternion(turn.x, turn.y, turn.z, turn.w));
        info.m_startWorldTransform.setOrigin(vector(glm::vec3(list.places[i])));
        // Bullet takes the product of both, ours is the root of it.
        info.m_friction = std::sqrt(list.motions[i].friction);
        info.m_restitution = list.motions[i].restitution;
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        bodies_.back()->setLinearVelocity(vector(list.motions[i].velocity));
        bodies_.back()->setAngularVelocity(vector(list.motions[i].spin));
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get());
    }
    void add(const passes::JointRecord& joint) {
        btRigidBody& a = *bodies_[joint.first];
        btRigidBody& b = *bodies_[joint.second];
        if (joint.kind == static_cast<std::uint32_t>(passes::JointKind::ball))
            joints_.push_back(std::make_unique<btPoint2PointConstraint>(
                a, b, vector(joint.first_anchor), vector(joint.second_anchor)));
        else
            joints_.push_back(std::make_unique<btHingeConstraint>(
                a, b, vector(joint.first_anchor), vector(joint.second_anchor),
                vector(joint.first_axis), vector(joint.second_axis)));
        world_.addConstraint(joints_.back().get(), true);
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

} // namespace tuff::testing_gpu

#endif
