#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// `struct epoll_event` is packed and holds a union: Swift reads it through these.
static inline int cepoll_control(int poller, int operation, int descriptor, uint32_t events, uint64_t key) {
    struct epoll_event event;
    event.events = events;
    event.data.u64 = key;
    return epoll_ctl(poller, operation, descriptor, &event);
}

// A negative time waits for ever; nanoseconds, because the pace of the pieces would suffer from whole milliseconds.
static inline int cepoll_wait(int poller, struct epoll_event *events, int capacity, int64_t nanoseconds) {
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return epoll_pwait2(poller, events, capacity, nanoseconds < 0 ? NULL : &limit, NULL);
}

static inline uint64_t cepoll_key(const struct epoll_event *events, int index) { return events[index].data.u64; }
static inline uint32_t cepoll_readiness(const struct epoll_event *events, int index) { return events[index].events; }

static const uint32_t cepoll_readable = EPOLLIN | EPOLLRDHUP;
static const uint32_t cepoll_writable = EPOLLOUT;
static const uint32_t cepoll_gone = EPOLLRDHUP | EPOLLHUP | EPOLLERR;

// Both make a non-blocking socket on the loopback address and without the delay of small segments.
static inline int cepoll_tcp(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int one = 1;
    if (descriptor >= 0) setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return descriptor;
}

static inline struct sockaddr_in cepoll_loopback(uint16_t port) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static inline int cepoll_listen(uint16_t port) {
    int descriptor = cepoll_tcp();
    if (descriptor < 0) return -1;
    int one = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = cepoll_loopback(port);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0 || listen(descriptor, 4096) < 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static inline int cepoll_connect(uint16_t port) {
    int descriptor = cepoll_tcp();
    if (descriptor < 0) return -1;
    struct sockaddr_in address = cepoll_loopback(port);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static inline int cepoll_accept(int listener) {
    int descriptor = accept(listener, NULL, NULL);
    if (descriptor < 0) return -1;
    int one = 1;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return descriptor;
}

static inline int cepoll_port(int descriptor) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) < 0) return -1;
    return ntohs(address.sin_port);
}

static inline int cepoll_pending_error(int descriptor) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return errno;
    return error;
}

static inline int64_t cepoll_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// A benchmark holds thousands of connections; a closed one must be an error value and not a signal.
static inline void cepoll_prepare_process(void) {
    struct rlimit limit;
    signal(SIGPIPE, SIG_IGN);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}
