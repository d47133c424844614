#pragma once
#include <llama.h>
#include <ggml-backend.h>

// What Swift cannot say for itself: an overload by signature, functions of a plug-in found by name, a check of layouts.

// One release put the size of the vocabulary in front of the other arguments; the header that is installed decides.
static inline struct llama_sampler *cllama_penalties(
    const struct llama_vocab *vocabulary, int32_t last, float repeat, float frequency, float presence) {
    typedef struct llama_sampler *(*without_size)(int32_t, float, float, float);
    typedef struct llama_sampler *(*with_size)(int32_t, int32_t, float, float, float);
    return _Generic(&llama_sampler_init_penalties,
        without_size: ((without_size)(void *)&llama_sampler_init_penalties)(last, repeat, frequency, presence),
        default: ((with_size)(void *)&llama_sampler_init_penalties)(
            llama_vocab_n_tokens(vocabulary), last, repeat, frequency, presence));
}

// The CPU back end is a plug-in, so its functions are looked up; NULL where it is absent.
static inline void *cllama_cpu_function(const char *name) {
    ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    return device ? ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), name) : NULL;
}

// Workers that stay alive between evaluations; without them every token starts and joins its own threads.
static inline struct ggml_threadpool *cllama_threadpool_attach(struct llama_context *context, int32_t threads) {
    typedef struct ggml_threadpool *(*make_function)(struct ggml_threadpool_params *);
    make_function make = (make_function)cllama_cpu_function("ggml_threadpool_new");
    if (!make) return NULL;
    struct ggml_threadpool_params parameters = ggml_threadpool_params_default(threads);
    parameters.poll = 0; // the default keeps a core spinning after every evaluation
    struct ggml_threadpool *pool = make(&parameters);
    if (pool) llama_attach_threadpool(context, pool, NULL);
    return pool;
}

static inline void cllama_threadpool_free(struct ggml_threadpool *pool) {
    typedef void (*free_function)(struct ggml_threadpool *);
    free_function release = (free_function)cllama_cpu_function("ggml_threadpool_free");
    if (release && pool) release(pool);
}

// The parameter structures are passed by value and change between releases under one library name. Their defaults,
// read through this header, tell whether header and library belong together.
static inline bool cllama_layouts_match(void) {
    struct llama_context_params context = llama_context_default_params();
    struct llama_model_params model = llama_model_default_params();
    return context.n_batch == 2048 && context.n_ubatch == 512 && context.n_seq_max == 1
        && context.flash_attn_type == LLAMA_FLASH_ATTN_TYPE_AUTO && context.type_k == GGML_TYPE_F16
        && context.type_v == GGML_TYPE_F16 && context.offload_kqv && context.op_offload && !context.embeddings
        && context.abort_callback == NULL && model.main_gpu == 0 && model.kv_overrides == NULL
        && model.progress_callback == NULL && !model.vocab_only && model.use_extra_bufts;
}
