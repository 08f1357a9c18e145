// Attacks on what is outside of the box.

#include "attack.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <dirent.h>
#include <linux/futex.h>
#include <time.h>

#include <thread>

extern char** environ;

using Words = std::vector<std::string>;
using Call = std::function<long()>;

// Opens files, and says what is in them.
static void read_files(const Words& files) {
    for (const std::string& file : files) {
        const int descriptor = open(file.c_str(), O_RDONLY);
        char content[64] = {};
        if (tell("open " + file, descriptor)) tell("read " + file, read(descriptor, content, sizeof content - 1));
        for (const char* byte = content; *byte >= ' '; byte++) dprintf(2, "%c", *byte);
        dprintf(2, "\n");
    }
}

static void list(const Words& folders) {
    for (const std::string& folder : folders) {
        DIR* const open_folder = opendir(folder.c_str());
        if (!tell("list " + folder, open_folder ? 0 : -1)) continue;
        while (const dirent* entry = readdir(open_folder)) {
            if (entry->d_name[0] != '.') dprintf(2, "in %s: %s\n", folder.c_str(), entry->d_name);
        }
        closedir(open_folder);
    }
}

// Makes a file in each of these folders, and changes what is there already.
static void write_files(const Words& words) {
    for (const std::string& folder : Words(words.begin() + 1, words.end())) {
        const std::string file = folder + "/" + words[0];
        tell("create " + file, open(file.c_str(), O_WRONLY | O_CREAT, 0666));
        tell("mkdir " + file + "-folder", mkdir((file + "-folder").c_str(), 0777));
        tell("chmod " + folder, chmod(folder.c_str(), 0777));
    }
}

static void change_files(const Words& files) {
    for (const std::string& file : files) {
        tell("open for writing " + file, open(file.c_str(), O_WRONLY));
        tell("chmod " + file, chmod(file.c_str(), 04777));
        tell("truncate " + file, truncate(file.c_str(), 0));
        tell("rename " + file, rename(file.c_str(), (file + "-old").c_str()));
        tell("unlink " + file, unlink(file.c_str()));
    }
}

// A copy of this program, run from a folder where it can write, or from memory.
static void run_copy(const Words& words) {
    const std::string copy = words[0] + "/copy";
    const int from = open(words[1].c_str(), O_RDONLY);
    const int to = open(copy.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0777);
    char bytes[1 << 16];
    for (long count; (count = read(from, bytes, sizeof bytes)) > 0;) {
        if (write(to, bytes, count) != count) break;
    }
    close(to);
    tell("chmod " + copy, chmod(copy.c_str(), 0777));
    const int again = open(copy.c_str(), O_RDONLY);
    void* const mapped = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, again, 0);
    tell("map as code", mapped == MAP_FAILED ? -1 : 0);
    const char* const arguments[] = {copy.c_str(), "greet", nullptr};
    tell("exec", execve(copy.c_str(), const_cast<char**>(arguments), environ));
    tell("execveat", syscall(SYS_execveat, again, "", arguments, environ, AT_EMPTY_PATH));
    tell("memfd_create", syscall(SYS_memfd_create, "copy", 0));
}

// Becomes a program that is the administrator's. The loader shows who one is then, unless the program has gained rights.
static void run_setuid(const Words& words) {
    for (const char* folder : {"/usr", "/bot", "/tmp"}) {
        struct statvfs found{};
        if (statvfs(folder, &found) == 0) dprintf(2, "%s is %s\n", folder, found.f_flag & ST_NOSUID ? "nosuid" : "suid");
    }
    dup2(2, 1);
    const char* const arguments[] = {words[0].c_str(), "--version", nullptr};
    const char* const environment[] = {"LD_SHOW_AUXV=1", nullptr};
    tell("exec", execve(words[0].c_str(), const_cast<char**>(arguments), const_cast<char**>(environment)));
}

static void try_descriptors(const Words&) {
    for (int descriptor = 3; descriptor < 1024; descriptor++) {
        char content[64] = {};
        if (fcntl(descriptor, F_GETFD) < 0) continue;
        const long count = pread(descriptor, content, sizeof content - 1, 0);
        dprintf(2, "descriptor %d is open: %s\n", descriptor, count > 0 ? content : "");
    }
}

static void try_sockets(const Words& words) {
    for (int family = 0; family < 48; family++) {
        for (int type = 1; type <= 5; type++) {
            const int made = socket(family, type, 0);
            if (made >= 0 || errno == ENOSYS) tell("socket of family " + std::to_string(family), made);
            if (made >= 0) close(made);
        }
    }
    int pair[2];
    tell("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path + 1, words[0].data(), words[0].size());
    const socklen_t size = offsetof(sockaddr_un, sun_path) + 1 + words[0].size();
    const int abstract = socket(AF_UNIX, SOCK_STREAM, 0);
    tell("connect", connect(abstract, reinterpret_cast<sockaddr*>(&address), size));
}

// Types into a terminal, its own or one that it makes.
static void type_ahead(const Words&) {
    for (const char* terminal : {"/dev/tty", "/dev/console", "/dev/tty1", "/dev/pts/0", "/dev/ptmx"}) {
        const int descriptor = open(terminal, O_RDWR | O_NOCTTY);
        tell(std::string("open ") + terminal, descriptor);
        // Whoever sits at the others is not to find a letter typed.
        if (strcmp(terminal, "/dev/ptmx") == 0) tell("TIOCSTI", ioctl(descriptor < 0 ? 0 : descriptor, TIOCSTI, "x"));
    }
}

static void change_kernel(const Words& files) {
    // Only opened: that it could be written to is bad enough.
    for (const std::string& file : files) tell("open for writing " + file, open(file.c_str(), O_WRONLY));
}

// Signals that two programs could send each other without a word: who is first has it, who comes second sees that.
static void signal_by_locks(const Words& words) {
    const int file = open(words[0].c_str(), O_RDONLY);
    struct flock whole{};
    whole.l_type = F_RDLCK;
    tell("open", file);
    tell("flock", flock(file, LOCK_EX | LOCK_NB));
    tell("F_SETLK", fcntl(file, F_SETLK, &whole));
    tell("F_OFD_SETLK", fcntl(file, F_OFD_SETLK, &whole));
    tell("F_SETLEASE", fcntl(file, F_SETLEASE, F_RDLCK));
    tell("F_SETSIG", fcntl(file, F_SETSIG, SIGCONT));
    tell("inotify_init", syscall(SYS_inotify_init1, 0));
    tell("utimensat", utimensat(AT_FDCWD, "/dev/null", nullptr, 0));
}

// The number of the process to be attacked: a child, or where there can be none, the first process.
static pid_t victim() {
    const pid_t child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        pause();
        _exit(0);
    }
    return child > 0 ? child : 1;
}

static void bury(pid_t child) {
    if (child <= 1) return;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}

// A process by a call that answers 0 in it.
static long in_child(long child) {
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, nullptr, 0);
    return child;
}

// A file by the number that its file system has for it.
struct Handle {
    unsigned size = sizeof bytes;
    int type = 0;
    char bytes[128] = {};
};

alignas(4096) static char victim_page[4096];

// A call that may not be made with what it is asked for here, while others like it may.
static long futex(int operation) {
    static unsigned lock;
    return syscall(SYS_futex, &lock, operation, 0, nullptr, nullptr, 0);
}

// Each call as it would do its harm, if somebody let it.
static const std::map<std::string, Call> calls = {
    {"unshare", [] { return syscall(SYS_unshare, CLONE_NEWUSER); }},
    {"clone", [] { return in_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)); }},
    {"clone3", [] {
        unsigned long arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD, 0, 0, 0};
        return in_child(syscall(SYS_clone3, arguments, sizeof arguments));
    }},
    {"fork", [] { return in_child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
    {"mount", [] { return syscall(SYS_mount, "tmpfs", "/tmp", "tmpfs", 0, nullptr); }},
    {"umount2", [] { return syscall(SYS_umount2, "/tmp", MNT_DETACH); }},
    {"fsopen", [] { return syscall(SYS_fsopen, "tmpfs", 0); }},
    {"fsconfig", [] { return syscall(SYS_fsconfig, -1, 6, nullptr, nullptr, 0); }},
    {"fsmount", [] { return syscall(SYS_fsmount, -1, 0, 0); }},
    {"fspick", [] { return syscall(SYS_fspick, AT_FDCWD, "/tmp", 0); }},
    {"open_tree", [] { return syscall(SYS_open_tree, AT_FDCWD, "/tmp", 1); }},
    {"move_mount", [] { return syscall(SYS_move_mount, AT_FDCWD, "/tmp", AT_FDCWD, "/usr", 0); }},
    {"mount_setattr", [] {
        unsigned long attributes[4] = {1, 0, 0, 0};
        return syscall(SYS_mount_setattr, AT_FDCWD, "/tmp", 0, attributes, sizeof attributes);
    }},
    {"chroot", [] { return syscall(SYS_chroot, "/"); }},
    {"pivot_root", [] { return syscall(SYS_pivot_root, "/tmp", "/tmp"); }},
    {"setns", [] { return syscall(SYS_setns, open("/proc/self/ns/uts", O_RDONLY), 0); }},
    {"pidfd_open", [] { return syscall(SYS_pidfd_open, getpid(), 0); }},
    {"pidfd_getfd", [] { return syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getpid(), 0), 2, 0); }},
    {"ptrace", [] {
        const pid_t child = victim();
        const long result = syscall(SYS_ptrace, PTRACE_SEIZE, child, 0, 0);
        bury(child);
        return result;
    }},
    {"process_vm_readv", [] {
        static char secret[16], taken[16];
        const pid_t child = victim();
        const iovec to{taken, sizeof taken}, from{secret, sizeof secret};
        const long result = syscall(SYS_process_vm_readv, child, &to, 1, &from, 1, 0);
        bury(child);
        return result;
    }},
    {"process_vm_writev", [] {
        static char secret[16], given[16];
        const pid_t child = victim();
        const iovec from{given, sizeof given}, to{secret, sizeof secret};
        const long result = syscall(SYS_process_vm_writev, child, &from, 1, &to, 1, 0);
        bury(child);
        return result;
    }},
    // Of this process itself, which everybody may: that a number of a process is not needed makes it no better.
    {"process_madvise", [] {
        const iovec page{victim_page, sizeof victim_page};
        return syscall(SYS_process_madvise, syscall(SYS_pidfd_open, getpid(), 0), &page, 1, 20, 0); // MADV_COLD
    }},
    {"kcmp", [] { return syscall(SYS_kcmp, getpid(), getpid(), 1, 0, 0); }}, // KCMP_VM
    {"io_uring_setup", [] {
        unsigned parameters[64] = {};
        return syscall(SYS_io_uring_setup, 4, parameters);
    }},
    {"io_uring_enter", [] { return syscall(SYS_io_uring_enter, -1, 0, 0, 0, nullptr, 0); }},
    {"io_uring_register", [] { return syscall(SYS_io_uring_register, -1, 0, nullptr, 0); }},
    // Faults of user space only, which everybody may have.
    {"userfaultfd", [] { return syscall(SYS_userfaultfd, 1); }},
    {"bpf", [] {
        unsigned attributes[32] = {2, 4, 4, 1};
        return syscall(SYS_bpf, 0, attributes, sizeof attributes);
    }},
    {"perf_event_open", [] {
        // The clock of this task, without what the kernel does.
        unsigned attributes[28] = {1, sizeof attributes, 1};
        attributes[10] = 1 << 5 | 1 << 6;
        return syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0);
    }},
    {"add_key", [] { return syscall(SYS_add_key, "user", "palestra", "x", 1, -2); }},
    {"request_key", [] { return syscall(SYS_request_key, "user", "palestra", nullptr, 0); }},
    {"keyctl", [] { return syscall(SYS_keyctl, 0, -2, 1); }},
    // A time that there is not, so that no clock is set where nobody is in the way.
    {"clock_settime", [] {
        const timespec never{0, -1};
        return syscall(SYS_clock_settime, CLOCK_REALTIME, &never);
    }},
    {"settimeofday", [] {
        const timeval never{0, -1};
        return syscall(SYS_settimeofday, &never, nullptr);
    }},
    {"adjtimex", [] {
        timex nothing{};
        return syscall(SYS_adjtimex, &nothing);
    }},
    {"clock_adjtime", [] {
        timex nothing{};
        return syscall(SYS_clock_adjtime, CLOCK_REALTIME, &nothing);
    }},
    {"open_by_handle_at", [] {
        Handle handle;
        int mount = 0;
        syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", &handle, &mount, 0);
        return syscall(SYS_open_by_handle_at, open("/", O_RDONLY), &handle, O_RDONLY);
    }},
    {"name_to_handle_at", [] {
        Handle handle;
        int mount = 0;
        return syscall(SYS_name_to_handle_at, AT_FDCWD, "/usr", &handle, &mount, 0);
    }},
    {"shmget", [] {
        const long id = shmget(IPC_PRIVATE, 4096, 0600);
        if (id >= 0) shmctl(id, IPC_RMID, nullptr);
        return id;
    }},
    {"msgget", [] {
        const long id = msgget(IPC_PRIVATE, 0600);
        if (id >= 0) msgctl(id, IPC_RMID, nullptr);
        return id;
    }},
    {"semget", [] {
        const long id = semget(IPC_PRIVATE, 1, 0600);
        if (id >= 0) semctl(id, 0, IPC_RMID);
        return id;
    }},
    {"mq_open", [] {
        const std::string name = "palestra-" + std::to_string(getpid());
        const long queue = syscall(SYS_mq_open, name.c_str(), O_CREAT | O_RDWR, 0600, nullptr);
        if (queue >= 0) syscall(SYS_mq_unlink, name.c_str());
        return queue;
    }},
    {"shm_open", [] {
        const std::string name = "/palestra-" + std::to_string(getpid());
        const long memory = shm_open(name.c_str(), O_CREAT | O_RDWR, 0600);
        if (memory >= 0) shm_unlink(name.c_str());
        return memory;
    }},
    {"priority futex", [] { return futex(FUTEX_LOCK_PI_PRIVATE); }},
    {"merged memory", [] { return madvise(victim_page, sizeof victim_page, MADV_MERGEABLE); }},
#ifdef __x86_64__
    {"int 0x80", [] {
        long result = 20; // getpid, by the numbers of 32 bits
        asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
        return result;
    }},
    {"x32", [] { return syscall(0x40000000 | SYS_getpid); }},
#endif
};

static const char* const IN_A_THREAD = "in a thread: ";

// Makes calls, one after the other. With "alone" as the first word it does so in a world of its own, where it hurts
// nobody and may do everything.
static void make_calls(const Words& words) {
    for (const std::string& word : words) {
        if (word == "alone") {
            tell(word, unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC));
            mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
        } else if (word.rfind(IN_A_THREAD, 0) == 0) {
            // The whole program must end with the thread that makes the call.
            std::thread([&] { tell(word, calls.at(word.substr(strlen(IN_A_THREAD)))()); }).join();
        } else {
            tell(word, calls.at(word)());
        }
    }
}

static void make_nodes(const Words& words) {
    const std::string place = words[0] + "/";
    tell("mknod memory", mknod((place + "memory").c_str(), S_IFCHR | 0666, makedev(1, 1)));
    tell("mknod null", mknod((place + "null").c_str(), S_IFCHR | 0666, makedev(1, 3)));
    tell("mknod disk", mknod((place + "disk").c_str(), S_IFBLK | 0666, makedev(254, 0)));
    tell("mkfifo", mkfifo((place + "fifo").c_str(), 0666));
    tell("link", link("/usr/bin/env", (place + "link").c_str()));
}

int main(int count, char** words) {
    if (count > 1 && strcmp(words[1], "greet") == 0) return dprintf(2, "did run the copy\n") < 0;
    return play(count, words, {
        {"read", read_files},
        {"environment", [](const Words&) {
            for (char** variable = environ; *variable; variable++) dprintf(2, "variable %s\n", *variable);
        }},
        {"parent", [](const Words&) {
            const std::string parent = "/proc/" + std::to_string(getppid());
            read_files({"/proc/1/environ", "/proc/1/mem", "/proc/self/environ", "/proc/self/mem", parent + "/environ"});
        }},
        {"kernel", change_kernel},
        {"list", list},
        {"write", write_files},
        {"change", change_files},
        {"copy", run_copy},
        {"setuid", run_setuid},
        {"descriptors", try_descriptors},
        {"sockets", try_sockets},
        {"terminals", type_ahead},
        {"locks", signal_by_locks},
        {"nodes", make_nodes},
        {"calls", make_calls},
        {"keep", [](const Words& files) {
            for (const std::string& file : files) {
                const int made = open(file.c_str(), O_WRONLY | O_CREAT, 0644);
                if (tell("write " + file, made)) dprintf(made, "a plan for the other");
            }
        }},
        {"info", [](const Words&) {
            say("info text <script>alert(1)</script> \xe2\x80\xae]} 4 {");
            say("info depth 3 text \xe2\x80\x8b<img src=x onerror=alert(1)>&quot;");
        }},
        {"escape", [](const Words&) { say("info text \x1b[2J\x1b]0;owned\x07"); }},
    });
}
