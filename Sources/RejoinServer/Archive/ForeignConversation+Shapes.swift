import RejoinCore

extension ForeignConversation {
    /// Reads a conversation of a product whose shape is known by the names of its members.
    ///
    /// - Returns: nil if the shape is none of them.
    static func read(_ object: JSONObject, _ note: (String?, ImportReport.Fault.Reason) -> Void)
        -> ForeignConversation?
    {
        if object["mapping"]?.object != nil { return chatGPT(object, note) }
        if object["chat_messages"]?.array != nil { return claude(object, note) }
        if let chat = object["chat"]?.object, chat["history"]?.object != nil || chat["messages"]?.array != nil {
            return openWebUI(object, chat, note)
        }
        if object["conversationId"]?.string != nil,
            let messages = object["messages"]?.array ?? object["messagesTree"]?.array
        {
            return libreChat(object, messages, note)
        }
        return nil
    }

    /// A time as these exports write it: seconds or milliseconds since 1970, or RFC 3339 with any offset of zero.
    static func time(_ value: JSONValue?) -> Timestamp? {
        if let number = value?.number, number.isFinite, number > 0, number < 1e15 {
            // Seconds until the year 5138 are below what milliseconds have been since 1973.
            return Timestamp(milliseconds: Int64(number < 1e11 ? number * 1000 : number))
        }
        guard let text = value?.string else { return nil }
        let isUTC = text.hasSuffix("+00:00")
        return Timestamp(isUTC ? text.dropLast(6) + "Z" : text[...])
    }

    /// A reference to a file that the export names but does not hold.
    static func attachment(_ product: String, _ name: String, type: String?, of file: String) -> ContentPart {
        let ids = DerivedIDs(account: AccountID(high: 0, low: 0), space: product)
        return .attachment(
            Event.Attachment(
                upload: ids.id("file", file), mediaType: type ?? "application/octet-stream",
                name: String(name.prefix(255))))
    }

    /// Texts and references of a list of typed parts; each part that is neither is noted.
    ///
    /// - Parameter ignored: types that are no words to a person and no loss: a model's reasoning and its tools.
    static func parts(
        _ values: [JSONValue], of message: String?, ignoring ignored: Set<String>,
        _ note: (String?, ImportReport.Fault.Reason) -> Void
    ) -> [ContentPart] {
        var parts: [ContentPart] = []
        for value in values {
            let type = value.object?["type"]?.string ?? "text"
            if let text = value.string ?? value.object?["text"]?.string
                ?? value.object?["text"]?.object?["value"]?.string,
                type == "text" || type == "text_delta"
            {
                if !text.isEmpty { parts.append(.text(text)) }
            } else if !ignored.contains(type) {
                note(message, .unknownContent)
            }
        }
        return parts
    }
}

// The shapes below are those that the products write or wrote, from their public sources and from public descriptions
// of them; `docs/export-format.md` names each.

extension ForeignConversation {
    private static func chatGPT(
        _ object: JSONObject, _ note: (String?, ImportReport.Fault.Reason) -> Void
    ) -> ForeignConversation? {
        guard let id = object["conversation_id"]?.string ?? object["id"]?.string else {
            note(nil, .noID)
            return nil
        }
        var conversation = ForeignConversation(product: "chatgpt", id: id)
        conversation.title = object["title"]?.string
        conversation.createdAt = time(object["create_time"])
        conversation.updatedAt = time(object["update_time"])
        conversation.isArchived = object["is_archived"]?.bool ?? false
        conversation.isPinned = object["is_starred"]?.bool ?? false
        conversation.selected = object["current_node"]?.string
        for member in object["mapping"]?.object?.members ?? [] {
            guard let node = member.value.object else {
                note(member.name, .unreadableMessage)
                continue
            }
            var message = Message(id: member.name, parent: node["parent"]?.string, role: .other)
            if let said = node["message"]?.object { chatGPT(said, into: &message, note) }
            conversation.messages.append(message)
        }
        return conversation
    }

    private static func chatGPT(
        _ said: JSONObject, into message: inout Message, _ note: (String?, ImportReport.Fault.Reason) -> Void
    ) {
        let metadata = said["metadata"]?.object
        message.at = time(said["create_time"])
        message.model = metadata?["model_slug"]?.string
        let role = said["author"]?.object?["role"]?.string
        // Words to a tool, hidden messages and what the tool said are not part of the conversation that was seen.
        let isSeen =
            (said["recipient"]?.string ?? "all") == "all"
            && metadata?["is_visually_hidden_from_conversation"]?.bool != true
        guard isSeen, role == "user" || role == "assistant" else { return }
        guard let content = said["content"]?.object else { return note(message.id, .unreadableMessage) }
        switch content["content_type"]?.string {
        case "text", "multimodal_text":
            for part in content["parts"]?.array ?? [] {
                if let text = part.string ?? part.object?["text"]?.string {
                    if !text.isEmpty { message.content.append(.text(text)) }
                } else if let pointer = part.object?["asset_pointer"]?.string {
                    let name = pointer.split(separator: "/").last.map(String.init) ?? "file"
                    message.content.append(attachment("chatgpt", name, type: nil, of: pointer))
                } else {
                    note(message.id, .unknownContent)
                }
            }
        case "code": if let text = content["text"]?.string { message.content.append(.text("```\n" + text + "\n```")) }
        case "thoughts", "reasoning_recap", "user_editable_context", "model_editable_context": return
        default: return note(message.id, .unknownContent)
        }
        for file in metadata?["attachments"]?.array ?? [] {
            guard let file = file.object, let id = file["id"]?.string else { continue }
            message.content.append(
                attachment("chatgpt", file["name"]?.string ?? id, type: file["mime_type"]?.string, of: id))
        }
        guard !message.content.isEmpty else { return }
        message.role = role == "user" ? .person : .model
    }

    private static func claude(
        _ object: JSONObject, _ note: (String?, ImportReport.Fault.Reason) -> Void
    ) -> ForeignConversation? {
        guard let id = object["uuid"]?.string else {
            note(nil, .noID)
            return nil
        }
        var conversation = ForeignConversation(product: "claude", id: id)
        conversation.title = object["name"]?.string
        conversation.createdAt = time(object["created_at"])
        conversation.updatedAt = time(object["updated_at"])
        conversation.isPinned = object["is_starred"]?.bool ?? false
        conversation.selected = object["current_leaf_message_uuid"]?.string
        let model = object["model"]?.string
        let messages = object["chat_messages"]?.array ?? []
        // Older exports are lists, newer ones name the message before; the first one's is an id of zeros.
        let isTree = messages.contains { $0.object?["parent_message_uuid"]?.string != nil }
        var before: String?
        for (index, value) in messages.enumerated() {
            guard let said = value.object, let role = role(said["sender"]?.string) else {
                note(value.object?["uuid"]?.string, .unreadableMessage)
                continue
            }
            let name = said["uuid"]?.string ?? "#\(index)"
            let parent = isTree ? said["parent_message_uuid"]?.string : before
            var message = Message(id: name, parent: parent.flatMap(realParent), role: role)
            message.at = time(said["created_at"])
            if role == .model { message.model = model }
            message.content = parts(
                said["content"]?.array ?? [], of: name,
                ignoring: ["thinking", "tool_use", "tool_result", "token_budget", "flag"], note)
            if message.content.isEmpty, let text = said["text"]?.string, !text.isEmpty {
                message.content = [.text(text)]
            }
            for file in (said["attachments"]?.array ?? []) + (said["files"]?.array ?? []) {
                guard let file = file.object, let fileName = file["file_name"]?.string else { continue }
                message.content.append(
                    attachment(
                        "claude", fileName, type: file["file_type"]?.string.flatMap { $0.contains("/") ? $0 : nil },
                        of: file["file_uuid"]?.string ?? name + fileName))
            }
            if message.content.isEmpty { message.role = .other }
            conversation.messages.append(message)
            before = name
        }
        return conversation
    }

    private static func openWebUI(
        _ object: JSONObject, _ chat: JSONObject, _ note: (String?, ImportReport.Fault.Reason) -> Void
    ) -> ForeignConversation? {
        guard let id = object["id"]?.string ?? chat["id"]?.string, !id.isEmpty else {
            note(nil, .noID)
            return nil
        }
        var conversation = ForeignConversation(product: "open-webui", id: id)
        conversation.title = object["title"]?.string ?? chat["title"]?.string
        conversation.createdAt = time(object["created_at"]) ?? time(chat["timestamp"])
        conversation.updatedAt = time(object["updated_at"])
        conversation.isPinned = object["pinned"]?.bool ?? false
        conversation.isArchived = object["archived"]?.bool ?? false
        let history = chat["history"]?.object
        conversation.selected = history?["currentId"]?.string
        let tree = history?["messages"]?.object?.members.map { ($0.name, $0.value) }
        let list = chat["messages"]?.array ?? []
        let messages = tree ?? list.enumerated().map { ($1.object?["id"]?.string ?? "#\($0)", $1) }
        var before: String?
        for (name, value) in messages {
            guard let said = value.object, let role = role(said["role"]?.string) else {
                note(name, .unreadableMessage)
                continue
            }
            var message = Message(id: name, parent: tree == nil ? before : said["parentId"]?.string, role: role)
            message.at = time(said["timestamp"])
            if role == .model { message.model = said["model"]?.string }
            let content = said["content"]
            message.content =
                content?.string.map { $0.isEmpty ? [] : [.text($0)] }
                ?? parts(content?.array ?? [], of: name, ignoring: ["image_url"], note)
            for file in said["files"]?.array ?? [] {
                guard let file = file.object, let fileID = file["id"]?.string ?? file["name"]?.string else { continue }
                let type =
                    file["content_type"]?.string ?? file["file"]?.object?["meta"]?.object?["content_type"]?.string
                message.content.append(
                    attachment("open-webui", file["name"]?.string ?? fileID, type: type, of: fileID))
            }
            if message.content.isEmpty { message.role = .other }
            conversation.messages.append(message)
            before = name
        }
        return conversation
    }

    private static func libreChat(
        _ object: JSONObject, _ messages: [JSONValue], _ note: (String?, ImportReport.Fault.Reason) -> Void
    ) -> ForeignConversation? {
        guard let id = object["conversationId"]?.string else {
            note(nil, .noID)
            return nil
        }
        var conversation = ForeignConversation(product: "librechat", id: id)
        conversation.title = object["title"]?.string
        let model = object["options"]?.object?["model"]?.string
        // Messages may stand within the `children` of the one before, or name it.
        var pending = messages.reversed().map { ($0, nil as String?) }
        while let (value, above) = pending.popLast() {
            guard let said = value.object, let name = said["messageId"]?.string else {
                note(nil, .unreadableMessage)
                continue
            }
            let isPerson = said["isCreatedByUser"]?.bool ?? (said["sender"]?.string == "User")
            let parent = said["parentMessageId"]?.string.flatMap(realParent) ?? above
            var message = Message(id: name, parent: parent, role: isPerson ? .person : .model)
            message.at = time(said["createdAt"])
            if !isPerson { message.model = said["model"]?.string ?? model }
            message.content = parts(
                said["content"]?.array ?? [], of: name, ignoring: ["think", "tool_call", "error", "agent_update"], note)
            if message.content.isEmpty, let text = said["text"]?.string, !text.isEmpty {
                message.content = [.text(text)]
            }
            for file in said["files"]?.array ?? [] {
                guard let file = file.object, let fileID = file["file_id"]?.string else { continue }
                message.content.append(
                    attachment("librechat", file["filename"]?.string ?? fileID, type: file["type"]?.string, of: fileID))
            }
            if message.content.isEmpty { message.role = .other }
            conversation.messages.append(message)
            for child in (said["children"]?.array ?? []).reversed() { pending.append((child, name)) }
        }
        conversation.updatedAt = conversation.messages.compactMap(\.at).max()
        conversation.selected = conversation.messages.last?.id
        return conversation
    }

    private static func role(_ name: String?) -> Role? {
        switch name {
        case "user", "human": .person
        case "assistant": .model
        case "system", "tool": .other
        default: nil
        }
    }

    /// The message before; nil where zeros stand for none.
    private static func realParent(_ id: String) -> String? {
        let digits = id.filter { $0 != "-" }
        return digits.allSatisfy { $0 == "0" || $0 == "4" || $0 == "8" } && digits.count == 32 ? nil : id
    }
}
