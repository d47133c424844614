#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// What differs between systems, or is a macro that Swift does not import.

/// Accepts one connection, non-blocking and closed on exec; the peer's network is its IPv4 address or IPv6 /64.
static inline int cevent_accept(int listener, char *address, size_t capacity, uint64_t *network) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    memset(&peer, 0, sizeof peer);
#if defined(__linux__) && defined(SOCK_NONBLOCK) && defined(_GNU_SOURCE)
    int descriptor = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return -1;
#else
    int descriptor = accept(listener, (struct sockaddr *)&peer, &length);
    if (descriptor < 0) return -1;
    evutil_make_socket_nonblocking(descriptor);
    evutil_make_socket_closeonexec(descriptor);
#endif
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    address[0] = 0;
    *network = 0;
    if (peer.ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&peer;
        inet_ntop(AF_INET, &v4->sin_addr, address, (socklen_t)capacity);
        *network = v4->sin_addr.s_addr;
    } else if (peer.ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&peer;
        inet_ntop(AF_INET6, &v6->sin6_addr, address, (socklen_t)capacity);
        memcpy(network, &v6->sin6_addr, sizeof *network);
    }
    return descriptor;
}

/// Sends what the kernel takes now: never blocks, never raises SIGPIPE.
static inline ssize_t cevent_send(int descriptor, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
    return send(descriptor, bytes, count, MSG_DONTWAIT);
#endif
}

/// Receives what is there.
static inline ssize_t cevent_receive(int descriptor, void *bytes, size_t count) {
    return recv(descriptor, bytes, count, MSG_DONTWAIT);
}

/// Opens a non-blocking stream socket for a family that may bind a port left in TIME_WAIT.
static inline int cevent_listening_socket(int family, unsigned unacknowledged_milliseconds) {
    int descriptor = socket(family, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    evutil_make_socket_nonblocking(descriptor);
    evutil_make_socket_closeonexec(descriptor);
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    // Accepted sockets inherit these: a peer that is gone without a word is noticed.
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
#ifdef TCP_USER_TIMEOUT
    setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged_milliseconds,
               sizeof unacknowledged_milliseconds);
    int idle = 30, interval = 10;
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
#endif
    if (family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    return descriptor;
}

/// Starts a detached thread that leaves all signals to the others; 0 or an error number.
static inline int cevent_start_thread(void *(*body)(void *), void *context) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&thread, &attributes, body, context);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    pthread_attr_destroy(&attributes);
    return result;
}
