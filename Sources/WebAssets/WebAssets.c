#include "WebAssets.h"
