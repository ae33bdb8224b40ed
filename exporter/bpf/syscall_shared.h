// syscall_shared.h: what syscall.bpf.c counts, as the exporter reads it in mapped memory.
//
// Units:   nanoseconds of CLOCK_MONOTONIC, bytes, calls. All sums since loading.
// Threads: the kernel writes while the exporter reads; each number is read whole, two of them may
//          be a call apart.
#ifndef LIMPET_EXPORTER_BPF_SYSCALL_SHARED_H_
#define LIMPET_EXPORTER_BPF_SYSCALL_SHARED_H_

#include "exporter/bpf/histogram_shared.h"

#ifndef __bpf__
#include <linux/types.h>
#endif

enum {
  kSyscallNumbers = 512,            // x86-64 and arm64 end below 480 (Linux 6.18)
  kSignalNumber = kSyscallNumbers,  // event log: a signal that was taken, in the place of a call
  kMaxTargets = 16,                 // names or process ids that are followed
  kMaxCgroups = 8,
  kCgroupLevels = 12,  // how far above its own a process's cgroup is looked for
  kCommBytes = 16,     // TASK_COMM_LEN, its zero included
  kFollowedLines = 4096,
  kFollowedPerLine = 4,  // processes whose numbers share a line; more are dropped
  kThreadProbes = 8,
  kPeers = 1024,  // remote addresses and ports that clients on the machine have connected to
  kPeerProbes = 8,
  kErrnos = 136,        // 0 … 133, then the two below
  kErrnoRestart = 134,  // ERESTARTSYS and the like: the kernel calls again after the signal
  kErrnoUnknown = 135,
  kPathBytes = 128,  // of a path in the event log, its zero included
};

enum SyscallOperation {
  kOperationNone,  // not counted
  kOperationRead,
  kOperationWrite,
  kOperationOpen,
  kOperationClose,
  kOperationStat,
  kOperationReaddir,
  kOperationFsync,
  kOperationUnlink,
  kOperationRename,
  kOperationMkdir,
  kOperationRmdir,
  kOperationLink,
  kOperationReadlink,
  kOperationTruncate,
  kOperationAllocate,
  kOperationXattr,
  kOperationChmod,
  kOperationStatfs,
  kOperationLock,
  kOperationConnect,
  kOperationAccept,
  kOperationSocket,
  kOperationMmap,
  kOperationClone,
  kOperationOther,  // the event log alone
  kOperations,
};

// The subject of a call.
enum SyscallTarget {
  kTargetOther,
  kTargetStorage,  // a regular file, a block device or a directory; a path
  kTargetNetwork,  // an IPv4 or IPv6 socket
  kTargetMemory,
  kTargets,
  kTargetDescriptor,  // as what its descriptor is says
};

enum SyscallAction {
  kActionNone,
  kActionRead,
  kActionWrite,
  kActionConnect,
};

// The processes that are a target.
struct TargetChoice {
  char name[kCommBytes];  // of the process; empty: by process id
  __u32 pid;              // 0: by name
  __u32 is_client;
};

// The treatment of a system call, by its number.
struct SyscallRow {
  __u8 operation;
  __u8 target;
  __u8 action;
  __u8 descriptor;  // which argument, from 1; 0: none
  __u8 path;        // which argument, from 1; 0: none
  __u8 makes;       // 1: the result is a new descriptor
};

// Reads and writes of storage and of the network.
enum SyscallClass {
  kClassStorageRead,
  kClassStorageWrite,
  kClassNetworkRead,
  kClassNetworkWrite,
  kClasses,
};

struct OperationCell {
  __u64 ns;
  __u64 buckets[kTimeBuckets];
};

struct ClassCell {
  __u64 calls;
  __u64 ns;
  __u64 bytes;
};

// One target on one CPU. The array is [CPU][target].
struct SyscallCell {
  struct ClassCell classes[kClasses];
  struct OperationCell operations[kOperations];
};

// Failed calls of one target: [target][operation][SyscallTarget].
struct ErrorCell {
  __u32 counts[kErrnos];
};

// A thread of a process that is followed, and the call it is in.
struct ThreadCall {
  __u32 tid;  // 0: free
  __u32 tgid;
  __u64 started_ns;  // 0: in no call that is counted
  __u64 sequence;    // event log: the number of this call in the order of starting
  __u32 target;      // whose process it is
  __u32 peer;        // index + 1; 0: none
  __u32 generation;  // of that peer's place
  __u16 number;      // of the system call
  __u8 about;        // SyscallTarget
  __u8 action;       // SyscallAction
  __u8 operation;
  __u8 unused[7];
  __u64 arguments[6];  // event log alone
};

enum PeerFailure {
  kFailureRefused,       // ECONNREFUSED
  kFailureReset,         // ECONNRESET
  kFailurePipe,          // EPIPE
  kFailureTimedOut,      // ETIMEDOUT
  kFailureUnreachable,   // EHOSTUNREACH
  kFailureNotConnected,  // ENOTCONN
  kFailureEnd,           // a read returned 0
  kPeerFailures,
};

enum { kPeerRead, kPeerWrite, kPeerConnect, kPeerActions };

// The far end of the connections that a client has made; of those that somebody made to it there
// are as many as whoever connects likes. Where there is no place, the one that was used longest ago
// gives way.
struct Peer {
  __u32 state;  // 0: free, 1: being filled in, 2: valid
  __u32 target;
  __u32 address[4];                  // in network order; IPv4 as ::ffff:a.b.c.d
  __u32 port;                        // in host order
  __u32 generation;                  // how many this place has been of before
  __u64 used_ns;                     // when the last call began, give or take a second
  __u64 completed_ns[kPeerActions];  // when the last call of the kind succeeded; 0: none has
  __u64 failures[kPeerFailures];
};

enum SyscallDrop {
  kSyscallDropThreads,    // calls of threads that had no place
  kSyscallDropPeers,      // calls to peers that had no place
  kSyscallDropProcesses,  // processes that had no place
  kSyscallDropCompat,     // calls of 32-bit programs, whose numbers are others
  kSyscallDropReplaced,   // peers that gave way to others
  kSyscallDropEvents,     // events that the log's ring had no room for
  kSyscallDrops,
};

struct SyscallTotals {
  __u64 drops[kSyscallDrops];
  __u64 sequence;
  __u32 processes[kMaxTargets];  // followed now
};

// The kind of a descriptor.
struct DescriptorInfo {
  __u32 mode;    // S_IFMT and permissions; 0: no such descriptor
  __u32 device;  // major << 20 | minor of the file system
  __u64 inode;
  __u32 family;  // AF_*; 0: no socket
  __u32 port;    // remote, host order
  __u32 address[4];
};

// A completed call in the event log's ring; or a signal (kSignalNumber), which has threads, a time
// and its number as the result.
struct SyscallEvent {
  __u64 sequence;
  __u64 started_ns;
  __u64 duration_ns;
  __s64 result;
  __u64 arguments[6];
  __u32 tid;
  __u32 tgid;
  __u32 number;
  __u32 target;
  struct DescriptorInfo descriptor;  // the new one, or the argument
  char path[kPathBytes];             // as the program gave it; cut if longer
};

#endif  // LIMPET_EXPORTER_BPF_SYSCALL_SHARED_H_
