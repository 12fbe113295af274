// The C library of Apple's systems: what the package calls of it, from its manual pages and headers (Libc, xnu:
// https://github.com/apple-oss-distributions). Swift imports it as it imports the real one.
#ifndef DARWIN_STAND_IN
#define DARWIN_STAND_IN

typedef unsigned char __uint8_t;
typedef unsigned long size_t;
typedef long ssize_t;
typedef long long off_t;
typedef long long blkcnt_t;
typedef int blksize_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef long time_t;
typedef int pid_t;
typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
typedef unsigned short in_port_t;

// clock_gettime(3), macOS 10.12 and iOS 10
typedef enum {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC = 6,
} clockid_t;
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
int clock_gettime(clockid_t clock, struct timespec *time);

// pthread_self(3)
struct _opaque_pthread_t {
    long __sig;
    char __opaque[8176];
};
typedef struct _opaque_pthread_t *pthread_t;
pthread_t pthread_self(void);

// open(2), fcntl(2), unlink(2), isatty(3), strerror(3), exit(3)
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_TRUNC 0x00000400
#define O_APPEND 0x00000008
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_GETFD 1
#define F_SETFD 2
#define FD_CLOEXEC 1
#define F_SETFL 4
#define O_NONBLOCK 0x00000004
#define O_CLOEXEC 0x01000000
// intro(2)
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define EAGAIN 35
#define EMSGSIZE 40
#define ENOTSUP 45
#define ECONNABORTED 53
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#define EDQUOT 69
#define ENOSYS 78
#define EOPNOTSUPP 102
int unlink(const char *path);
int isatty(int descriptor);
char *strerror(int number);
void exit(int code) __attribute__((__noreturn__));

// write(2), read(2), pipe(2), close(2), dup(2), ftruncate(2)
ssize_t write(int descriptor, const void *bytes, size_t count);
ssize_t read(int descriptor, void *bytes, size_t count);
int pipe(int descriptors[2]);
int close(int descriptor);
int dup(int descriptor);
int ftruncate(int descriptor, off_t length);

// pread(2), pwrite(2), lseek(2), fsync(2), fchmod(2), link(2), rename(2), access(2)
#define SEEK_END 2
#define F_OK 0
ssize_t pread(int descriptor, void *bytes, size_t count, off_t position);
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t position);
off_t lseek(int descriptor, off_t position, int from);
int fsync(int descriptor);
int fchmod(int descriptor, mode_t mode);
int link(const char *path, const char *other);
int rename(const char *path, const char *other);
int access(const char *path, int mode);

// setxattr(2), getxattr(2), removexattr(2)
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/setxattr.2.html
#define XATTR_NOFOLLOW 0x0001
int fsetxattr(
    int descriptor, const char *name, const void *value, size_t size, unsigned int position, int options);
ssize_t getxattr(
    const char *path, const char *name, void *value, size_t size, unsigned int position, int options);
int fremovexattr(int descriptor, const char *name, int options);

// flock(2), and the structure of fcntl(2) that has the same name
#define LOCK_EX 0x02
#define LOCK_NB 0x04
struct flock {
    off_t l_start;
    off_t l_len;
    pid_t l_pid;
    short l_type;
    short l_whence;
};
int flock(int descriptor, int operation);

// stat(2)
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    unsigned int st_flags;
    unsigned int st_gen;
    int st_lspare;
    long long st_qspare[2];
};
int stat(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);
int fstat(int descriptor, struct stat *result);

// poll(2)
typedef unsigned int nfds_t;
struct pollfd {
    int fd;
    short events;
    short revents;
};
#define POLLOUT 0x0004
int poll(struct pollfd *descriptors, nfds_t count, int timeout);

// signal(3), sigsetops(3), pthread_sigmask(2), raise(3), kill(2), getpid(2)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGPIPE 13
#define SIGTERM 15
typedef void (*sig_t)(int);
void (*signal(int number, void (*handler)(int)))(int);
typedef unsigned int sigset_t;
#define SIG_UNBLOCK 2
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *earlier);
int raise(int signal);
int kill(pid_t process, int signal);
pid_t getpid(void);

// socket(2), getsockopt(2), inet(4), tcp(4), unix(4)
struct sockaddr {
    __uint8_t sa_len;
    sa_family_t sa_family;
    char sa_data[14];
};
struct in_addr {
    unsigned int s_addr;
};
struct sockaddr_in {
    __uint8_t sin_len;
    sa_family_t sin_family;
    in_port_t sin_port;
    struct in_addr sin_addr;
    char sin_zero[8];
};
struct in6_addr {
    __uint8_t bytes[16];
};
struct sockaddr_in6 {
    __uint8_t sin6_len;
    sa_family_t sin6_family;
    in_port_t sin6_port;
    unsigned int sin6_flowinfo;
    struct in6_addr sin6_addr;
    unsigned int sin6_scope_id;
};
struct sockaddr_un {
    unsigned char sun_len;
    sa_family_t sun_family;
    char sun_path[104];
};
struct sockaddr_storage {
    __uint8_t ss_len;
    sa_family_t ss_family;
    char __ss_pad[126];
};
struct linger {
    int l_onoff;
    int l_linger;
};
#define SOL_SOCKET 0xffff
#define SOMAXCONN 128
#define SO_LINGER 0x0080
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SO_NOSIGPIPE 0x1022
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
int shutdown(int socket, int how);
int socket(int family, int type, int protocol);
int bind(int socket, const struct sockaddr *address, socklen_t length);
int listen(int socket, int backlog);
int accept(int socket, struct sockaddr *address, socklen_t *length);
int connect(int socket, const struct sockaddr *address, socklen_t length);
int getsockname(int socket, struct sockaddr *address, socklen_t *length);
int setsockopt(int socket, int level, int name, const void *value, socklen_t length);
ssize_t send(int socket, const void *bytes, size_t count, int flags);
ssize_t recv(int socket, void *bytes, size_t count, int flags);
int inet_pton(int family, const char *text, void *address);

// sysconf(3)
#define _SC_PAGESIZE 29
long sysconf(int name);

// getrusage(2)
struct timeval {
    long tv_sec;
    int tv_usec;
};
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
};
#define RUSAGE_SELF 0
int getrusage(int who, struct rusage *usage);

// log(3)
double log(double number);

#endif
