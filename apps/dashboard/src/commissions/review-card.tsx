import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import type { Story } from "./queries.ts";
import { review_states } from "./review-states.ts";
import { reasonName, review_texts } from "./review-texts.ts";
import { texts } from "./texts.ts";

/** Why a commission needed a review, and who decided; nothing of one that needed none. */
export function ReviewCard({ story: { commission } }: { story: Story }) {
  const { review, review_state } = commission;
  if (review === null || review_state === "none") return null;
  const { decided_at, decided_by_name, approves_at, reason } = review;
  return (
    <Card title={review_texts.title}>
      <Facts narrow>
        <Fact label={texts.status}>{review_states[review_state]}</Fact>
        <Fact label={review_texts.reasons}>{review.reasons.map(reasonName).join(", ")}</Fact>
        {decided_at === null ? (
          <>
            <Fact label={review_texts.since}>
              <Time at={review.since} />
            </Fact>
            <Fact label={review_texts.approves_itself}>
              {approves_at === null ? review_texts.never : <Time at={approves_at} show="day" />}
            </Fact>
          </>
        ) : (
          <Fact label={review_states[review_state]}>
            <Time at={decided_at} />{" "}
            <Untrusted lines={1}>
              {review.decided_by === "automatic approval"
                ? review_texts.automatic
                : review_texts.decided_by(decided_by_name ?? review.decided_by ?? "")}
            </Untrusted>
          </Fact>
        )}
        {reason !== null && (
          <Fact label={review_texts.reason}>
            <Untrusted lines={3}>{reason}</Untrusted>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
