extension CodeLanguage {
    private static let text = Quote(open: "\"", close: "\"")
    private static let character = Quote(open: "'", close: "'")
    private static let template = Quote(open: "`", close: "`", isMultiline: true)

    /// The languages that people paste most.
    static let all: [CodeLanguage] = [
        CodeLanguage(
            names: "swift ",
            keywords: """
                actor any as associatedtype async await borrowing break case catch class consuming continue default defer \
                deinit do else enum extension fallthrough fileprivate final for func get guard if import in indirect init \
                inout internal is isolated lazy let macro mutating nonisolated open operator override package private \
                protocol public repeat required rethrows return self Self set some static struct subscript super switch \
                throw throws try typealias unowned var weak where while \

                """, literals: "true false nil ", lineComment: "//", blockOpen: "/*", blockClose: "*/",
            nestsComments: true,
            quotes: [Quote(open: "\"\"\"", close: "\"\"\"", isMultiline: true), text], attributeMark: Byte.at),
        CodeLanguage(
            names: "python py python3 ",
            keywords: """
                and as assert async await break class continue def del elif else except finally for from global if import \
                in is lambda match case nonlocal not or pass raise return try while with yield \

                """, literals: "True False None ", lineComment: "#",
            quotes: [
                Quote(open: "\"\"\"", close: "\"\"\"", isMultiline: true),
                Quote(open: "'''", close: "'''", isMultiline: true), text, character,
            ], attributeMark: Byte.at),
        CodeLanguage(
            names: "javascript js jsx mjs typescript ts tsx ",
            keywords: """
                abstract any as async await boolean break case catch class const continue debugger declare default delete \
                do else enum export extends finally for from function get if implements import in instanceof interface \
                keyof let namespace never new number of private protected public readonly return satisfies set static \
                string super switch this throw try type typeof unknown var void while with yield \

                """, literals: "true false null undefined NaN ", lineComment: "//", blockOpen: "/*", blockClose: "*/",
            quotes: [text, character, template], attributeMark: Byte.at),
        CodeLanguage(
            names: "json jsonc json5 ", lineComment: "//", blockOpen: "/*", blockClose: "*/", hasCapitalTypes: false,
            hasKeys: true),
        CodeLanguage(
            names: "bash sh shell zsh console ",
            keywords: """
                case do done elif else esac export fi for function if in local readonly return select set shift then \
                unset until while echo cd exit \

                """, literals: "true false ", lineComment: "#",
            quotes: [
                Quote(open: "\"", close: "\"", isMultiline: true),
                Quote(open: "'", close: "'", hasEscapes: false, isMultiline: true),
            ], hasCapitalTypes: false, hasVariables: true, hasHyphens: true),
        CodeLanguage(
            names: "c h cpp c++ cc hpp objc objective-c ",
            keywords: """
                alignas alignof auto bool break case catch char class concept const constexpr continue decltype default \
                delete do double else enum explicit export extern final float for friend goto if inline int long mutable \
                namespace new noexcept operator override private protected public register restrict return short signed \
                sizeof static struct switch template this throw try typedef typename union unsigned using virtual void \
                volatile while size_t \

                """, literals: "true false NULL nullptr ", lineComment: "//", blockOpen: "/*", blockClose: "*/",
            attributeMark: Byte.hash),
        CodeLanguage(
            names: "java kotlin kt csharp c# cs scala ",
            keywords: """
                abstract as assert async await boolean break byte case catch char class const continue data default do \
                double else enum extends final finally float for foreach fun get if implements import in instanceof int \
                interface internal is long namespace native new object open out override package private protected public \
                readonly record return sealed set short static string super suspend switch synchronized this throw throws \
                transient try using val var virtual void volatile when where while yield \

                """, lineComment: "//", blockOpen: "/*", blockClose: "*/",
            quotes: [Quote(open: "\"\"\"", close: "\"\"\"", isMultiline: true), text, character],
            attributeMark: Byte.at),
        CodeLanguage(
            names: "go golang ",
            keywords: """
                any bool break byte case chan complex64 complex128 const continue default defer else error fallthrough \
                float32 float64 for func go goto if import int int8 int16 int32 int64 interface map package range return \
                rune select string struct switch type uint uint8 uint16 uint32 uint64 uintptr var \

                """, literals: "true false nil iota ", lineComment: "//", blockOpen: "/*", blockClose: "*/",
            quotes: [text, character, Quote(open: "`", close: "`", hasEscapes: false, isMultiline: true)]),
        CodeLanguage(
            names: "rust rs ",
            keywords: """
                as async await bool break char const continue crate dyn else enum extern f32 f64 fn for i8 i16 i32 i64 \
                i128 if impl in isize let loop match mod move mut pub ref return self Self static str struct super trait \
                type u8 u16 u32 u64 u128 union unsafe use usize where while \

                """, literals: "true false ", lineComment: "//", blockOpen: "/*", blockClose: "*/", nestsComments: true,
            quotes: [Quote(open: "\"", close: "\"", isMultiline: true)], attributeMark: Byte.hash),
        CodeLanguage(names: "html xml svg vue xhtml ", shape: .markup, blockOpen: "<!--", blockClose: "-->"),
        CodeLanguage(
            names: "css scss less ", keywords: "important inherit initial unset none auto ", lineComment: "",
            blockOpen: "/*", blockClose: "*/", hasCapitalTypes: false, attributeMark: Byte.at, hasKeys: true,
            hasHyphens: true),
        CodeLanguage(
            names: "sql sqlite postgres postgresql mysql ",
            keywords: """
                add all alter and as asc begin between by case check column commit constraint create cross database default \
                delete desc distinct drop else end exists foreign from full group having if in index inner insert into is \
                join key left like limit not offset on or order outer over partition primary recursive references returning \
                right rollback select set table then trigger union unique update using values view when where with int \
                integer text varchar real blob boolean timestamp date \

                """, lineComment: "--", blockOpen: "/*", blockClose: "*/",
            quotes: [
                Quote(open: "'", close: "'", hasEscapes: false, isMultiline: true),
                Quote(open: "\"", close: "\"", hasEscapes: false),
            ], ignoresCase: true, hasCapitalTypes: false),
        CodeLanguage(
            names: "yaml yml toml ini ", literals: "true false null yes no on off ", lineComment: "#",
            hasCapitalTypes: false, hasKeys: true, hasHyphens: true),
        CodeLanguage(
            names: "ruby rb ",
            keywords: """
                alias and begin break case class def do else elsif end ensure for if in module next not or redo require \
                rescue retry return self super then undef unless until when while yield \

                """, literals: "true false nil ", lineComment: "#", attributeMark: Byte.at),
        CodeLanguage(
            names: "dockerfile makefile make ",
            keywords: """
                FROM RUN CMD COPY ADD ENV ARG EXPOSE WORKDIR ENTRYPOINT USER VOLUME LABEL AS include ifdef ifeq else endif \

                """, lineComment: "#", hasCapitalTypes: false, hasVariables: true, hasHyphens: true),
        CodeLanguage(names: "markdown md ", shape: .prose),
        CodeLanguage(names: "diff patch ", shape: .difference),
    ]
}
