#include "WebAssets.h"

// The page is part of the program: an installation is one file, and the page can never be of another version than
// the server. `#embed` is C23, which clang offers in every mode; the dependency file names the embedded files, so a
// changed page is compiled in by the next build. A new file needs its line here, which a test checks.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char account_ar_js[] = {
#embed "../../Web/account-ar.js"
};
static const unsigned char account_audit_js[] = {
#embed "../../Web/account-audit.js"
};
static const unsigned char account_closing_js[] = {
#embed "../../Web/account-closing.js"
};
static const unsigned char account_consent_js[] = {
#embed "../../Web/account-consent.js"
};
static const unsigned char account_people_js[] = {
#embed "../../Web/account-people.js"
};
static const unsigned char account_en_js[] = {
#embed "../../Web/account-en.js"
};
static const unsigned char account_export_js[] = {
#embed "../../Web/account-export.js"
};
static const unsigned char account_import_js[] = {
#embed "../../Web/account-import.js"
};
static const unsigned char account_limits_js[] = {
#embed "../../Web/account-limits.js"
};
static const unsigned char account_looks_js[] = {
#embed "../../Web/account-looks.js"
};
static const unsigned char account_memory_js[] = {
#embed "../../Web/account-memory.js"
};
static const unsigned char account_part_js[] = {
#embed "../../Web/account-part.js"
};
static const unsigned char account_task_js[] = {
#embed "../../Web/account-task.js"
};
static const unsigned char account_ways_js[] = {
#embed "../../Web/account-ways.js"
};
static const unsigned char account_css[] = {
#embed "../../Web/account.css"
};
static const unsigned char account_html[] = {
#embed "../../Web/account.html"
};
static const unsigned char account_js[] = {
#embed "../../Web/account.js"
};
static const unsigned char announce_js[] = {
#embed "../../Web/announce.js"
};
static const unsigned char answer_view_js[] = {
#embed "../../Web/answer-view.js"
};
static const unsigned char answer_js[] = {
#embed "../../Web/answer.js"
};
static const unsigned char api_js[] = {
#embed "../../Web/api.js"
};
static const unsigned char app_js[] = {
#embed "../../Web/app.js"
};
static const unsigned char arrival_js[] = {
#embed "../../Web/arrival.js"
};
static const unsigned char backoff_js[] = {
#embed "../../Web/backoff.js"
};
static const unsigned char blocks_js[] = {
#embed "../../Web/blocks.js"
};
static const unsigned char changes_js[] = {
#embed "../../Web/changes.js"
};
static const unsigned char composer_js[] = {
#embed "../../Web/composer.js"
};
static const unsigned char conversation_js[] = {
#embed "../../Web/conversation.js"
};
static const unsigned char copying_js[] = {
#embed "../../Web/copying.js"
};
static const unsigned char core_js[] = {
#embed "../../Web/core.js"
};
static const unsigned char device_js[] = {
#embed "../../Web/device.js"
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
static const unsigned char follow_js[] = {
#embed "../../Web/follow.js"
};
static const unsigned char fragment_js[] = {
#embed "../../Web/fragment.js"
};
static const unsigned char frame_js[] = {
#embed "../../Web/frame.js"
};
static const unsigned char icon_192_png[] = {
#embed "../../Web/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../../Web/icon-512.png"
};
static const unsigned char icon_mask_svg[] = {
#embed "../../Web/icon-mask.svg"
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
static const unsigned char inlines_js[] = {
#embed "../../Web/inlines.js"
};
static const unsigned char joining_js[] = {
#embed "../../Web/joining.js"
};
static const unsigned char keyboard_js[] = {
#embed "../../Web/keyboard.js"
};
static const unsigned char language_js[] = {
#embed "../../Web/language.js"
};
static const unsigned char let_in_html[] = {
#embed "../../Web/let-in.html"
};
static const unsigned char library_js[] = {
#embed "../../Web/library.js"
};
static const unsigned char line_js[] = {
#embed "../../Web/line.js"
};
static const unsigned char main_js[] = {
#embed "../../Web/main.js"
};
static const unsigned char manifest_json[] = {
#embed "../../Web/manifest.json"
};
static const unsigned char memory_used_js[] = {
#embed "../../Web/memory-used.js"
};
static const unsigned char menu_js[] = {
#embed "../../Web/menu.js"
};
static const unsigned char models_js[] = {
#embed "../../Web/models.js"
};
static const unsigned char offline_js[] = {
#embed "../../Web/offline.js"
};
static const unsigned char outbox_js[] = {
#embed "../../Web/outbox.js"
};
static const unsigned char parts_css[] = {
#embed "../../Web/parts.css"
};
static const unsigned char passkeys_js[] = {
#embed "../../Web/passkeys.js"
};
static const unsigned char patch_js[] = {
#embed "../../Web/patch.js"
};
static const unsigned char prompt_view_js[] = {
#embed "../../Web/prompt-view.js"
};
static const unsigned char rehearsal_js[] = {
#embed "../../Web/rehearsal.js"
};
static const unsigned char removals_js[] = {
#embed "../../Web/removals.js"
};
static const unsigned char review_ar_js[] = {
#embed "../../Web/review-ar.js"
};
static const unsigned char review_change_js[] = {
#embed "../../Web/review-change.js"
};
static const unsigned char review_en_js[] = {
#embed "../../Web/review-en.js"
};
static const unsigned char review_operations_js[] = {
#embed "../../Web/review-operations.js"
};
static const unsigned char review_css[] = {
#embed "../../Web/review.css"
};
static const unsigned char review_js[] = {
#embed "../../Web/review.js"
};
static const unsigned char scrolling_js[] = {
#embed "../../Web/scrolling.js"
};
static const unsigned char search_js[] = {
#embed "../../Web/search.js"
};
static const unsigned char session_js[] = {
#embed "../../Web/session.js"
};
static const unsigned char shelf_js[] = {
#embed "../../Web/shelf.js"
};
static const unsigned char sidebar_js[] = {
#embed "../../Web/sidebar.js"
};
static const unsigned char sight_js[] = {
#embed "../../Web/sight.js"
};
static const unsigned char sign_in_html[] = {
#embed "../../Web/sign-in.html"
};
static const unsigned char sign_in_js[] = {
#embed "../../Web/sign-in.js"
};
static const unsigned char storage_js[] = {
#embed "../../Web/storage.js"
};
static const unsigned char style_css[] = {
#embed "../../Web/style.css"
};
static const unsigned char early_js[] = {
#embed "../../Web/early.js"
};
static const unsigned char toast_js[] = {
#embed "../../Web/toast.js"
};
static const unsigned char transcript_js[] = {
#embed "../../Web/transcript.js"
};
static const unsigned char tree_js[] = {
#embed "../../Web/tree.js"
};
static const unsigned char versions_js[] = {
#embed "../../Web/versions.js"
};
static const unsigned char ways_js[] = {
#embed "../../Web/ways.js"
};
static const unsigned char words_ar_js[] = {
#embed "../../Web/words-ar.js"
};
static const unsigned char words_en_js[] = {
#embed "../../Web/words-en.js"
};
static const unsigned char words_css[] = {
#embed "../../Web/words.css"
};
static const unsigned char words_js[] = {
#embed "../../Web/words.js"
};
static const unsigned char worker_js[] = {
#embed "../../Web/worker.js"
};

// `scripts/web` makes it. A build without it has a page that says so.
#if __has_embed("../../.build/web/core.wasm")
#define HAS_CORE 1
static const unsigned char core_wasm[] = {
#embed "../../.build/web/core.wasm"
};
#endif

#define ASSET(path, media_type, bytes) {path, media_type, bytes, sizeof bytes}
#define SCRIPT(path, bytes) ASSET(path, "text/javascript; charset=utf-8", bytes)
#define STYLE(path, bytes) ASSET(path, "text/css; charset=utf-8", bytes)

static const web_asset assets[] = {
    SCRIPT("/account-ar.js", account_ar_js),
    SCRIPT("/account-audit.js", account_audit_js),
    SCRIPT("/account-closing.js", account_closing_js),
    SCRIPT("/account-consent.js", account_consent_js),
    SCRIPT("/account-people.js", account_people_js),
    SCRIPT("/account-en.js", account_en_js),
    SCRIPT("/account-export.js", account_export_js),
    SCRIPT("/account-import.js", account_import_js),
    SCRIPT("/account-limits.js", account_limits_js),
    SCRIPT("/account-looks.js", account_looks_js),
    SCRIPT("/account-memory.js", account_memory_js),
    SCRIPT("/account-part.js", account_part_js),
    SCRIPT("/account-task.js", account_task_js),
    SCRIPT("/account-ways.js", account_ways_js),
    STYLE("/account.css", account_css),
    ASSET("/account.html", "text/html; charset=utf-8", account_html),
    SCRIPT("/account.js", account_js),
    SCRIPT("/announce.js", announce_js),
    SCRIPT("/answer-view.js", answer_view_js),
    SCRIPT("/answer.js", answer_js),
    SCRIPT("/api.js", api_js),
    SCRIPT("/app.js", app_js),
    SCRIPT("/arrival.js", arrival_js),
    SCRIPT("/backoff.js", backoff_js),
    SCRIPT("/blocks.js", blocks_js),
    SCRIPT("/changes.js", changes_js),
    SCRIPT("/composer.js", composer_js),
    SCRIPT("/conversation.js", conversation_js),
    SCRIPT("/copying.js", copying_js),
    SCRIPT("/core.js", core_js),
    SCRIPT("/device.js", device_js),
    SCRIPT("/dialog.js", dialog_js),
    SCRIPT("/dom.js", dom_js),
    SCRIPT("/drawer.js", drawer_js),
    SCRIPT("/follow.js", follow_js),
    SCRIPT("/fragment.js", fragment_js),
    SCRIPT("/frame.js", frame_js),
    ASSET("/icon-192.png", "image/png", icon_192_png),
    ASSET("/icon-512.png", "image/png", icon_512_png),
    ASSET("/icon-mask.svg", "image/svg+xml", icon_mask_svg),
    ASSET("/icon.svg", "image/svg+xml", icon_svg),
    SCRIPT("/ids.js", ids_js),
    ASSET("/index.html", "text/html; charset=utf-8", index_html),
    SCRIPT("/inlines.js", inlines_js),
    SCRIPT("/joining.js", joining_js),
    SCRIPT("/keyboard.js", keyboard_js),
    SCRIPT("/language.js", language_js),
    ASSET("/let-in.html", "text/html; charset=utf-8", let_in_html),
    SCRIPT("/library.js", library_js),
    SCRIPT("/line.js", line_js),
    SCRIPT("/main.js", main_js),
    ASSET("/manifest.json", "application/manifest+json", manifest_json),
    SCRIPT("/memory-used.js", memory_used_js),
    SCRIPT("/menu.js", menu_js),
    SCRIPT("/models.js", models_js),
    SCRIPT("/offline.js", offline_js),
    SCRIPT("/outbox.js", outbox_js),
    STYLE("/parts.css", parts_css),
    SCRIPT("/passkeys.js", passkeys_js),
    SCRIPT("/patch.js", patch_js),
    SCRIPT("/prompt-view.js", prompt_view_js),
    SCRIPT("/rehearsal.js", rehearsal_js),
    SCRIPT("/removals.js", removals_js),
    SCRIPT("/review-ar.js", review_ar_js),
    SCRIPT("/review-change.js", review_change_js),
    SCRIPT("/review-en.js", review_en_js),
    SCRIPT("/review-operations.js", review_operations_js),
    STYLE("/review.css", review_css),
    SCRIPT("/review.js", review_js),
    SCRIPT("/scrolling.js", scrolling_js),
    SCRIPT("/search.js", search_js),
    SCRIPT("/session.js", session_js),
    SCRIPT("/shelf.js", shelf_js),
    SCRIPT("/sidebar.js", sidebar_js),
    SCRIPT("/sight.js", sight_js),
    ASSET("/sign-in.html", "text/html; charset=utf-8", sign_in_html),
    SCRIPT("/sign-in.js", sign_in_js),
    SCRIPT("/storage.js", storage_js),
    STYLE("/style.css", style_css),
    SCRIPT("/early.js", early_js),
    SCRIPT("/toast.js", toast_js),
    SCRIPT("/transcript.js", transcript_js),
    SCRIPT("/tree.js", tree_js),
    SCRIPT("/versions.js", versions_js),
    SCRIPT("/ways.js", ways_js),
    SCRIPT("/words-ar.js", words_ar_js),
    SCRIPT("/words-en.js", words_en_js),
    STYLE("/words.css", words_css),
    SCRIPT("/words.js", words_js),
    SCRIPT("/worker.js", worker_js),
#ifdef HAS_CORE
    ASSET("/core.wasm", "application/wasm", core_wasm),
#endif
};

const size_t web_asset_count = sizeof assets / sizeof assets[0];

const web_asset *web_asset_at(size_t index) { return &assets[index]; }
