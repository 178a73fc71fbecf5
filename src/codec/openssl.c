#include "codec/openssl_priv.h"

DL_DEFINE(openssl, OPENSSL_FUNCTIONS, SONAME_crypto, "libssl3")
