import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { OWN_ADDRESS } from "./machine.ts";

const PORT = 4242;

/** Counts the webhooks of each resource. */
export class Receiver {
  readonly url = `http://${OWN_ADDRESS}:${PORT}/webhooks`;
  /** How often each event came, by the ids of its type and resource, and by its own id. */
  readonly deliveries = new Map<string, Map<string, number>>();

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    const server = createServer((request, response) => void receiver.receive(request, response));
    server.listen(PORT, OWN_ADDRESS);
    await once(server, "listening");
    return receiver;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const event: { type: string; data: { id: string } } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const subject = subjectOf(event.type, event.data.id);
    const ids = this.deliveries.get(subject) ?? new Map<string, number>();
    const id = String(request.headers["webhook-id"]);
    ids.set(id, (ids.get(id) ?? 0) + 1);
    this.deliveries.set(subject, ids);
    response.writeHead(204).end();
  }
}

export function subjectOf(type: string, resource_id: string): string {
  return `${type} ${resource_id}`;
}
