# Records an affiliate's commission, starting with the campaign, and lists all commissions.

require "json"
require "net/http"

API = "#{ENV.fetch("FINDERSFEE_URL").chomp("/")}/v1"

# An error from the service: `code` is for programs, the message for people, the request id for support.
class FindersfeeError < StandardError
  attr_reader :code, :details

  def initialize(error)
    issues = error.fetch("issues", []).map { |issue| "\n  #{issue["path"]}: #{issue["message"]}" }
    super("#{error["code"]}: #{error["message"]} (#{error["request_id"]})#{issues.join}")
    @code = error["code"]
    @details = error.fetch("details", {})
  end
end

# Returns the response, or raises FindersfeeError, or an error of Net::HTTP without a response.
def call(method, path, body: nil, idempotency_key: nil)
  uri = URI("#{API}#{path}")
  headers = { "Authorization" => "Bearer #{ENV.fetch("FINDERSFEE_API_KEY")}", "Content-Type" => "application/json" }
  headers["Idempotency-Key"] = idempotency_key if idempotency_key
  options = { use_ssl: uri.scheme == "https", open_timeout: 10, read_timeout: 30 }
  response = Net::HTTP.start(uri.host, uri.port, options) do |http|
    http.send_request(method, uri.request_uri, body && JSON.generate(body), headers)
  end
  answer = JSON.parse(response.body)
  raise FindersfeeError, answer["error"] unless answer["success"]

  answer
rescue JSON::ParserError
  raise IOError, "#{API} did not return JSON; check FINDERSFEE_URL."
end

# Repeating the request with the same key, as after a lost response, creates nothing twice.
def create(path, body, idempotency_key:)
  call("POST", path, body: body, idempotency_key: idempotency_key)["data"]
end

# Yields all rows of a list, page by page.
def every(path)
  cursor = ""
  while cursor
    page = call("GET", "#{path}?#{URI.encode_www_form(limit: 100, cursor: cursor)}")
    page["data"].each { |row| yield row }
    cursor = page["pagination"]["next_cursor"]
  end
end

begin
  campaign = create(
    "/campaigns",
    {
      name: "Quick start",
      commission_type: "percentage",
      commission_amount: 30,
      website_url: "https://example.com"
    },
    idempotency_key: "quick-start-campaign"
  )
  affiliate = create(
    "/affiliates",
    { email: "kim@example.com", first_name: "Kim", last_name: "Poe", campaign_id: campaign["id"] },
    idempotency_key: "quick-start-affiliate"
  )
  puts "#{affiliate["email"]} shares #{affiliate["links"].first["url"]}"
  referral = create(
    "/referrals",
    { affiliate_id: affiliate["id"], email: "buyer@example.com" },
    idempotency_key: "quick-start-referral"
  )
  create(
    "/commissions",
    {
      referral_id: referral["id"],
      revenue_amount: 100,
      commission_amount: 30,
      processor_payment_id: "order-1001"
    },
    idempotency_key: "order-1001"
  )
  every("/commissions") do |commission|
    puts commission.values_at("processor_payment_id", "commission_amount", "currency").join(" ")
  end
rescue FindersfeeError, IOError, SystemCallError, SocketError, Timeout::Error => error
  abort error.message
end
