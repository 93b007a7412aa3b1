import { Dialog, type DialogProps } from "@findersfee/ui/overlays/dialog";
import { LayersProvider } from "@findersfee/ui/overlays/layers";

/** A dialog of which one is open at a time. */
export function LayeredDialog(props: DialogProps) {
  return (
    <LayersProvider>
      <Dialog {...props} />
    </LayersProvider>
  );
}
