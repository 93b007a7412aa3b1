import { createElement, type ReactElement, type SVGProps } from "react";

/** An icon's shapes, as `lucide-react` has them; a path is the text of its line. */
interface IconData {
  node: (string | [tag: string, attributes: Record<string, string>])[];
}

type IconProps = SVGProps<SVGSVGElement> & { size?: number };

/** Makes the component of an icon: lines in the color of the text. */
export function createPlainIcon({ node }: IconData): (props: IconProps) => ReactElement {
  const shapes = node.map((shape) =>
    typeof shape === "string" ? createElement("path", { d: shape }) : createElement(...shape),
  );
  return ({ size = 24, ...props }) =>
    createElement(
      "svg",
      {
        width: size,
        height: size,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": true,
        ...props,
      },
      ...shapes,
    );
}
