// What a load or store of one kind does on a simulated GPU: kernels/access.cuh calls it.
#pragma once

namespace peerproof::simulated {

template <class T>
T load_plain(const T* from) {
    return *from;
}
template <class T>
T load_volatile(const T* from) {
    return *from;
}
template <class T>
T load_cached(const T* from) {
    return *from;
}
template <class T>
T load_read_only(const T* from) {
    return *from;
}
template <class T>
void store_plain(T* to, T value) {
    *to = value;
}
template <class T>
T load_data(const T* from) {
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}
template <class T>
T load_flag(const T* from) {
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}
template <class T>
void store_data(T* to, T value) {
    __atomic_store_n(to, value, __ATOMIC_RELAXED);
}
template <class T>
void store_flag(T* to, T value) {
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}
inline void fence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

}  // namespace peerproof::simulated
