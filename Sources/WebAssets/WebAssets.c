#include "WebAssets.h"

// The page is part of the program: an installation is one file, and the page can never be of another version than
// the server. `#embed` is C23, which clang offers in every mode; the dependency file names the embedded files, so a
// changed page is compiled in by the next build. A new file needs its line here, which a test checks.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char announce_js[] = {
#embed "../../Web/announce.js"
};
static const unsigned char answer_js[] = {
#embed "../../Web/answer.js"
};
static const unsigned char api_js[] = {
#embed "../../Web/api.js"
};
static const unsigned char backoff_js[] = {
#embed "../../Web/backoff.js"
};
static const unsigned char changes_js[] = {
#embed "../../Web/changes.js"
};
static const unsigned char composer_js[] = {
#embed "../../Web/composer.js"
};
static const unsigned char dialog_js[] = {
#embed "../../Web/dialog.js"
};
static const unsigned char dom_js[] = {
#embed "../../Web/dom.js"
};
static const unsigned char drawer_js[] = {
#embed "../../Web/drawer.js"
};
static const unsigned char flow_js[] = {
#embed "../../Web/flow.js"
};
static const unsigned char follow_js[] = {
#embed "../../Web/follow.js"
};
static const unsigned char frame_js[] = {
#embed "../../Web/frame.js"
};
static const unsigned char icon_svg[] = {
#embed "../../Web/icon.svg"
};
static const unsigned char ids_js[] = {
#embed "../../Web/ids.js"
};
static const unsigned char index_html[] = {
#embed "../../Web/index.html"
};
static const unsigned char main_js[] = {
#embed "../../Web/main.js"
};
static const unsigned char models_js[] = {
#embed "../../Web/models.js"
};
static const unsigned char outbox_js[] = {
#embed "../../Web/outbox.js"
};
static const unsigned char scrolling_js[] = {
#embed "../../Web/scrolling.js"
};
static const unsigned char sidebar_js[] = {
#embed "../../Web/sidebar.js"
};
static const unsigned char sight_js[] = {
#embed "../../Web/sight.js"
};
static const unsigned char storage_js[] = {
#embed "../../Web/storage.js"
};
static const unsigned char style_css[] = {
#embed "../../Web/style.css"
};
static const unsigned char transcript_js[] = {
#embed "../../Web/transcript.js"
};
static const unsigned char tree_js[] = {
#embed "../../Web/tree.js"
};
static const unsigned char words_js[] = {
#embed "../../Web/words.js"
};

#define ASSET(path, media_type, bytes) {path, media_type, bytes, sizeof bytes}
#define SCRIPT(path, bytes) ASSET(path, "text/javascript; charset=utf-8", bytes)

static const web_asset assets[] = {
    SCRIPT("/announce.js", announce_js),
    SCRIPT("/answer.js", answer_js),
    SCRIPT("/api.js", api_js),
    SCRIPT("/backoff.js", backoff_js),
    SCRIPT("/changes.js", changes_js),
    SCRIPT("/composer.js", composer_js),
    SCRIPT("/dialog.js", dialog_js),
    SCRIPT("/dom.js", dom_js),
    SCRIPT("/drawer.js", drawer_js),
    SCRIPT("/flow.js", flow_js),
    SCRIPT("/follow.js", follow_js),
    SCRIPT("/frame.js", frame_js),
    ASSET("/icon.svg", "image/svg+xml", icon_svg),
    SCRIPT("/ids.js", ids_js),
    ASSET("/index.html", "text/html; charset=utf-8", index_html),
    SCRIPT("/main.js", main_js),
    SCRIPT("/models.js", models_js),
    SCRIPT("/outbox.js", outbox_js),
    SCRIPT("/scrolling.js", scrolling_js),
    SCRIPT("/sidebar.js", sidebar_js),
    SCRIPT("/sight.js", sight_js),
    SCRIPT("/storage.js", storage_js),
    ASSET("/style.css", "text/css; charset=utf-8", style_css),
    SCRIPT("/transcript.js", transcript_js),
    SCRIPT("/tree.js", tree_js),
    SCRIPT("/words.js", words_js),
};

const size_t web_asset_count = sizeof assets / sizeof assets[0];

const web_asset *web_asset_at(size_t index) { return &assets[index]; }
