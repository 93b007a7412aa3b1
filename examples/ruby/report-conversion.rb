# Reports a conversion of a customer, such as a booked demo: report-conversion.rb KIND EMAIL
require "json"
require "net/http"

def report_conversion(kind, email)
  # The same event has the same key, so a retry is safe. Later, a repetition returns the first report.
  headers = {
    "Authorization" => "Bearer #{ENV.fetch("FINDERSFEE_API_KEY")}",
    "Content-Type" => "application/json",
    "Idempotency-Key" => "#{kind}-#{email}",
  }
  uri = URI("#{ENV.fetch("FINDERSFEE_URL").chomp("/")}/v1/conversions")
  answer = JSON.parse(Net::HTTP.post(uri, JSON.generate(kind: kind, email: email), headers).body)
  raise "#{answer["error"]["code"]}: #{answer["error"]["message"]}" unless answer["success"]
  answer["data"]
end

kind, email = ARGV
puts report_conversion(kind, email)["outcome"] # commission, or why it earns nothing
