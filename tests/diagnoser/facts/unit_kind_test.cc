#include "diagnoser/facts/unit_kind.h"

#include <gtest/gtest.h>

namespace limpet::unit_kind_test {
namespace {

TEST(UnitKind, InstancesAreOneKind) {
  EXPECT_EQ(UnitKind("/system.slice/system-ceph\\x2dosd.slice/ceph-osd@3.service"),
            UnitKind("/system.slice/system-ceph\\x2dosd.slice/ceph-osd@17.service"));
  EXPECT_EQ(UnitKind("/system.slice/ceph-mds@alpha.service"), "/system.slice/ceph-mds@.service");
  EXPECT_NE(UnitKind("/system.slice/ceph-osd@3.service"),
            UnitKind("/system.slice/ceph-mon@3.service"));
}

// cephadm, Kubernetes, Docker.
TEST(UnitKind, ContainersAreOneKindWhateverTheirIds) {
  EXPECT_EQ(UnitKind("/system.slice/ceph-4f1c2a60-aaaa-11ee-8f00-52540012ab34@osd.3.service"
                     "/libpod-payload-9b1f0c"),
            UnitKind("/system.slice/ceph-4f1c2a60-aaaa-11ee-8f00-52540012ab34@osd.12.service"
                     "/libpod-payload-feedbeef"));
  EXPECT_EQ(UnitKind("/kubepods.slice/kubepods-pod01ab_cdef_11aa.slice/cri-containerd-1a2b.scope"),
            UnitKind("/kubepods.slice/kubepods-pod77ff_0123_abcd.slice/cri-containerd-ff00.scope"));
  EXPECT_EQ(UnitKind("/docker/3f9a"), "/docker/#");
}

TEST(UnitKind, OtherNamesStayWhatTheyAre) {
  EXPECT_EQ(UnitKind("/system.slice/backup.service"), "/system.slice/backup.service");
  EXPECT_EQ(UnitKind("/user.slice/user-1000.slice/session-7.scope"),
            "/user.slice/user-#.slice/session-#.scope");
  EXPECT_EQ(UnitKind("a@b"), "a@b") << "without a type";
  EXPECT_EQ(UnitKind(""), "");
  EXPECT_EQ(UnitKind("/"), "/");
}

TEST(UnitKind, NamesAreThoseOfTheServer) {
  EXPECT_EQ(UnitName("/system.slice/ceph-osd@3.service"), "ceph-osd@3.service");
  EXPECT_EQ(UnitName("rest"), "rest");
}

// Slurm under both versions of control groups, PBS; their steps are parts of them.
TEST(UnitKind, JobsHaveTheNameOfTheirFolder) {
  EXPECT_EQ(JobName("/system.slice/slurmstepd.scope/job_4711/step_0/user/task_1"), "job_4711");
  EXPECT_EQ(JobName("/slurm/uid_1000/job_4711"), "job_4711");
  EXPECT_EQ(JobName("/pbs_jobs.service/jobid/815.pbs01"), "815.pbs01");
  for (const auto* const other : {"/system.slice/job_runner.service", "/job_", "/jobid/x.server",
                                  "/system.slice/815.service", "", "/"}) {
    EXPECT_EQ(JobName(other), "") << other;
  }
}

}  // namespace
}  // namespace limpet::unit_kind_test
