import WebViewCore

/// Tickets for opening a channel where no Authorization header can be set.
enum AccessRoutes {
  static let all = [
    Operation.controller(
      "createTicket", .post, "/tickets", statuses: [201], decode: { _, _ in },
      run: { _, controller, context in
        context.services.tickets.issue(for: controller.id)
      }, encode: { ticket, _ in answer(ticket) }),
    Operation.plain("createServerTicket", .post, "/v1/tickets", statuses: [201], isServerWide: true) {
      _, context in
      answer(context.services.tickets.issue(for: nil))
    },
  ]

  private static func answer(_ ticket: TicketOffice.Ticket) -> OperationResult {
    .json(
      ["ticket": .string(ticket.text), "expiresAt": .string(Instant.text(ticket.expiresAt))], status: 201)
  }
}
