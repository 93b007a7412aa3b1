# Receives webhooks. WEBHOOK_SECRET is the endpoint's secret, or several separated by spaces.

require "json"
require "openssl"
require "socket"

TOLERANCE_SECONDS = 5 * 60
MAX_BYTES = 1024 * 1024

# Decodes a secret: base64 after its prefix.
def key_of(secret)
  key = secret.delete_prefix("whsec_").unpack1("m0")
  raise ArgumentError if key.bytesize < 24

  key
rescue ArgumentError
  abort "WEBHOOK_SECRET is incomplete; copy it from the endpoint."
end

KEYS = ENV.fetch("WEBHOOK_SECRET").split.map { |secret| key_of(secret) }
abort "WEBHOOK_SECRET is empty; copy it from the endpoint." if KEYS.empty?

class NotGenuine < StandardError; end

# Returns the event of a delivery, or raises NotGenuine. `body` is the raw bytes.
def verify(body, headers)
  timestamp = headers.fetch("webhook-timestamp", "")
  raise NotGenuine, "webhook-timestamp is invalid" unless timestamp.match?(/\A[0-9]{1,12}\z/)
  if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE_SECONDS
    raise NotGenuine, "webhook-timestamp is more than 5 minutes off"
  end

  content = "#{headers["webhook-id"]}.#{timestamp}.".b + body.b
  expected = KEYS.map { |key| "v1,#{[OpenSSL::HMAC.digest("SHA256", key, content)].pack("m0")}" }
  # During a rotation, the header has signatures with the old and the new secret.
  given = headers.fetch("webhook-signature", "").split(" ")
  unless given.product(expected).any? { |one, other| OpenSSL.secure_compare(one, other) }
    raise NotGenuine, "no signature in webhook-signature matches"
  end

  JSON.parse(body)
end

# With Rails the body is `request.raw_post`, with Rack `request.body.read`; a header is
# `request.get_header("HTTP_WEBHOOK_ID")`. The standard library has no web server, so this is a minimal one.
def read_request(socket)
  socket.gets
  headers = {}
  while (line = socket.gets&.chomp) && !line.empty?
    name, value = line.split(":", 2)
    headers[name.downcase] = value.to_s.strip
  end
  # The raw bytes: parsed and serialized again they would have another signature.
  [socket.read([headers["content-length"].to_i, MAX_BYTES].min).to_s, headers]
end

def answer(socket)
  body, headers = read_request(socket)
  event = verify(body, headers)
  # An event may arrive more than once: store each webhook-id under a unique key, in the transaction of your
  # own change, and skip known ones. Do slow work after responding.
  puts "#{headers["webhook-id"]} #{event["type"]} #{event["data"]["id"]}"
  socket.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
rescue NotGenuine => error
  socket.write("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n#{error.message}")
ensure
  socket.close
end

$stdout.sync = true
server = TCPServer.new("127.0.0.1", ENV.fetch("PORT", "4242").to_i)
loop { Thread.start(server.accept) { |socket| answer(socket) } }
