#pragma once
#include <llama.h>
#include <ggml-backend.h>
