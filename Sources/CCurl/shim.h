#pragma once

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#else
#include <sys/event.h>
#endif

// libcurl sets its options through variadic functions, which Swift cannot call: one typed function for each shape.

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, curl_off_t offset, int origin);

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode ccurl_set_fields(CURL *handle, struct curl_slist *fields) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
}
static inline CURLcode ccurl_set_context(CURL *handle, void *context) {
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_READDATA, context);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, context);
    return curl_easy_setopt(handle, CURLOPT_PRIVATE, context);
}
static inline CURLcode ccurl_set_callbacks(
    CURL *handle, ccurl_data_callback write, ccurl_data_callback header, ccurl_data_callback read,
    ccurl_seek_callback seek) {
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek);
}

// Opening sockets oneself, to see the address first.
static inline CURLcode ccurl_set_open_socket(CURL *handle, curl_opensocket_callback open, void *context) {
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
}
/// Copies the bytes of an internet address and returns their count: 4, 16, or 0 for an address of another kind.
static inline int ccurl_address_bytes(const struct curl_sockaddr *address, unsigned char bytes[16]) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
    curl_socket_t opened = socket(address->family, address->socktype, address->protocol);
    if (opened >= 0) fcntl(opened, F_SETFD, FD_CLOEXEC);
    return opened;
}
static inline CURLcode ccurl_set_addresses(CURL *handle, struct curl_slist *addresses) {
    return curl_easy_setopt(handle, CURLOPT_RESOLVE, addresses);
}

static inline void *ccurl_context(CURL *handle) {
    char *context = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context);
    return context;
}
static inline long ccurl_number(CURL *handle, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}
static inline CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    return curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

// A poller of the size that libcurl needs: interest is CURL_POLL_IN | CURL_POLL_OUT, 0 takes the socket out. epoll on
// Linux, kqueue elsewhere; neither can be called from Swift here, and curl_multi_poll looks at every transfer on each
// turn (at 1,000 streams: twice the processor time, measured).

typedef struct { int queue; int wake; } ccurl_poller;
/// `actions` is a mask of CURL_CSELECT_*; the wake-up shows as socket -1.
typedef struct { int socket; int actions; } ccurl_ready;

#ifdef __linux__

static inline ccurl_poller ccurl_poller_make(void) {
    ccurl_poller poller = {epoll_create1(EPOLL_CLOEXEC), eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    struct epoll_event event = {.events = EPOLLIN, .data.fd = -1};
    epoll_ctl(poller.queue, EPOLL_CTL_ADD, poller.wake, &event);
    return poller;
}
static inline void ccurl_poller_watch(ccurl_poller poller, int socket, int interest) {
    struct epoll_event event = {.data.fd = socket};
    if (interest & CURL_POLL_IN) event.events |= EPOLLIN;
    if (interest & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (interest == 0) epoll_ctl(poller.queue, EPOLL_CTL_DEL, socket, &event);
    else if (epoll_ctl(poller.queue, EPOLL_CTL_MOD, socket, &event) != 0)
        epoll_ctl(poller.queue, EPOLL_CTL_ADD, socket, &event);
}
static inline void ccurl_poller_wake(ccurl_poller poller) {
    unsigned long long one = 1;
    while (write(poller.wake, &one, sizeof one) < 0 && errno == EINTR) {}
}
static inline int ccurl_poller_wait(ccurl_poller poller, ccurl_ready *ready, int capacity, int milliseconds) {
    struct epoll_event events[128];
    int count = epoll_wait(poller.queue, events, capacity < 128 ? capacity : 128, milliseconds);
    for (int i = 0; i < count; i++) {
        unsigned flags = events[i].events;
        ready[i].socket = events[i].data.fd;
        ready[i].actions = (flags & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0)
            | (flags & EPOLLOUT ? CURL_CSELECT_OUT : 0) | (flags & EPOLLERR ? CURL_CSELECT_ERR : 0);
        if (ready[i].socket == -1) {
            unsigned long long value;
            while (read(poller.wake, &value, sizeof value) < 0 && errno == EINTR) {}
        }
    }
    return count;
}
static inline void ccurl_poller_close(ccurl_poller poller) {
    close(poller.queue);
    close(poller.wake);
}

#else

static inline ccurl_poller ccurl_poller_make(void) {
    ccurl_poller poller = {kqueue(), 0};
    struct kevent change;
    EV_SET(&change, 0, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    kevent(poller.queue, &change, 1, NULL, 0, NULL);
    return poller;
}
static inline void ccurl_poller_watch(ccurl_poller poller, int socket, int interest) {
    struct kevent change;
    EV_SET(&change, socket, EVFILT_READ, interest & CURL_POLL_IN ? EV_ADD : EV_DELETE, 0, 0, NULL);
    kevent(poller.queue, &change, 1, NULL, 0, NULL);
    EV_SET(&change, socket, EVFILT_WRITE, interest & CURL_POLL_OUT ? EV_ADD : EV_DELETE, 0, 0, NULL);
    kevent(poller.queue, &change, 1, NULL, 0, NULL);
}
static inline void ccurl_poller_wake(ccurl_poller poller) {
    struct kevent change;
    EV_SET(&change, 0, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    kevent(poller.queue, &change, 1, NULL, 0, NULL);
}
static inline int ccurl_poller_wait(ccurl_poller poller, ccurl_ready *ready, int capacity, int milliseconds) {
    struct kevent events[128];
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    int count = kevent(
        poller.queue, NULL, 0, events, capacity < 128 ? capacity : 128, milliseconds < 0 ? NULL : &limit);
    for (int i = 0; i < count; i++) {
        ready[i].socket = events[i].filter == EVFILT_USER ? -1 : (int)events[i].ident;
        ready[i].actions = events[i].filter == EVFILT_WRITE ? CURL_CSELECT_OUT : CURL_CSELECT_IN;
    }
    return count;
}
static inline void ccurl_poller_close(ccurl_poller poller) { close(poller.queue); }

#endif
