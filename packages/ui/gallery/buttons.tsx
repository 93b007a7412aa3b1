import { Plus } from "lucide-react";
import { Button, ButtonLink, IconButton } from "../src/components/button.tsx";
import { Card, Fact, Facts, Tile } from "../src/components/card.tsx";
import { CopyButton, ShortId } from "../src/components/copy.tsx";
import { Change, Money, Time, Untrusted } from "../src/components/values.tsx";
import { ARABIC, LONG, MARKUP, UNBROKEN } from "./texts.ts";

export function Buttons() {
  return (
    <div className="grid gap-4 pb-8">
      <Card title="Buttons">
        <div className="flex flex-wrap gap-2">
          <Button look="solid">Save changes</Button>
          <Button>Plain</Button>
          <Button look="quiet">Quiet</Button>
          <Button look="danger">Void</Button>
          <Button busy>Saving</Button>
          <Button look="solid" busy>
            Saving
          </Button>
          <Button disabled>Disabled</Button>
          <ButtonLink to="/forms">Link</ButtonLink>
          <IconButton label="Add">
            <Plus aria-hidden size={16} />
          </IconButton>
          <CopyButton text="acme.com/?via=jane" label="Copy link" />
        </div>
      </Card>
      <Card title="Values">
        <Facts>
          <Fact label="Dollars">
            <Money amount={1204.5} currency="USD" />
          </Fact>
          <Fact label="Taken back">
            <Money amount={-4.9} currency="EUR" />
          </Fact>
          <Fact label="Yen and dinars">
            <Money amount={1200} currency="JPY" /> · <Money amount={0.125} currency="KWD" />
          </Fact>
          <Fact label="Short">
            <Money amount={48_210} currency="USD" short />
          </Fact>
          <Fact label="Time">
            <Time at="2026-11-21T09:30:00.000Z" />
          </Fact>
          <Fact label="Day of another year">
            <Time at="2024-02-29T09:30:00.000Z" show="day" />
          </Fact>
          <Fact label="Id">
            <ShortId id="0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" />
          </Fact>
          {[ARABIC, MARKUP, LONG, UNBROKEN].map((text) => (
            <Fact key={text} label="A stranger's text">
              <Untrusted>{text}</Untrusted>
            </Fact>
          ))}
        </Facts>
      </Card>
      <div className="grid gap-3 wide:grid-cols-4">
        <Tile label="Revenue" value="$48.2K" change={<Change now={48} before={43} from="from $43,044" />} />
        <Tile label="Clicks" value="9,412" change={<Change now={90} before={93} from="from 9,700" />} />
        <Tile label="Sign-ups" value="611" chosen onChoose={() => {}} />
        <Tile label="Converted" value="0" chosen={false} onChoose={() => {}} />
      </div>
    </div>
  );
}
