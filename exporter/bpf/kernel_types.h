// kernel_types.h: the few fields of the kernel's structs that the BPF programs read.
//
// Not the kernel's layout: libbpf finds each field by its name in the running kernel's BTF when a
// program is loaded (CO-RE), so one build runs on every kernel that has these fields, and building
// needs no BTF of the build machine. Included by *.bpf.c alone.
#ifndef LIMPET_EXPORTER_BPF_KERNEL_TYPES_H_
#define LIMPET_EXPORTER_BPF_KERNEL_TYPES_H_

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u64 __be64;
typedef __u32 __wsum;
#define bool _Bool
enum { false = 0, true = 1 };

// The values of uapi/linux/bpf.h that the programs use; they are part of the kernel's ABI.
enum {
  BPF_MAP_TYPE_ARRAY = 2,
  BPF_MAP_TYPE_RINGBUF = 27,
  BPF_F_MMAPABLE = 1024,
  BPF_RB_NO_WAKEUP = 1,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

// --- Block layer.

struct gendisk {
  int major;
  int first_minor;
};

struct request_queue {
  struct gendisk* disk;  // since 5.14
  int id;
};

struct request {
  struct request_queue* q;
  unsigned int cmd_flags;
  unsigned int __data_len;
  __u64 start_time_ns;
};

// --- Tasks.

struct pt_regs {
#if defined(__TARGET_ARCH_x86)
  unsigned long di, si, dx, r10, r8, r9;
#elif defined(__TARGET_ARCH_arm64)
  unsigned long regs[31];
  unsigned long orig_x0;  // user_pt_regs' first argument is overwritten by the result
#else
#error "which registers hold the arguments of a system call on this architecture?"
#endif
};

struct thread_info {
  __u32 status;  // x86: TS_COMPAT
};

struct ns_common {
  unsigned int inum;
};

struct net {
  struct ns_common ns;
};

struct nsproxy {
  struct net* net_ns;
};

struct kernfs_node {
  __u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
  struct cgroup* cgroup;
  struct cgroup_subsys_state* parent;
};

struct cgroup {
  struct cgroup_subsys_state self;
  struct kernfs_node* kn;
};

struct css_set {
  struct cgroup* dfl_cgrp;
};

typedef struct {
  int counter;
} atomic_t;

struct signal_struct {
  atomic_t live;
};

struct task_struct {
  struct thread_info thread_info;
  int pid;
  int tgid;
  char comm[16];
  struct task_struct* group_leader;
  struct files_struct* files;
  struct signal_struct* signal;
  struct nsproxy* nsproxy;
  struct css_set* cgroups;
};

// --- Descriptors.

struct super_block {
  __u32 s_dev;
  unsigned long s_magic;
};

struct inode {
  unsigned short i_mode;
  struct super_block* i_sb;
  unsigned long i_ino;
};

struct file {
  void* private_data;
  struct inode* f_inode;
};

struct fdtable {
  unsigned int max_fds;
  struct file** fd;
};

struct files_struct {
  struct fdtable* fdt;
};

struct in6_addr {
  union {
    __be32 u6_addr32[4];
  } in6_u;
};

struct sock_common {
  __be32 skc_daddr;
  __be16 skc_dport;
  unsigned short skc_family;
  struct in6_addr skc_v6_daddr;
};

struct sock {
  struct sock_common __sk_common;
  __u32 sk_max_ack_backlog;
};

struct socket {
  struct sock* sk;
};

// --- Iterators.

struct seq_file;

struct bpf_iter_meta {
  struct seq_file* seq;
};

struct bpf_iter__task {
  struct bpf_iter_meta* meta;
  struct task_struct* task;
};

#pragma clang attribute pop

#endif  // LIMPET_EXPORTER_BPF_KERNEL_TYPES_H_
